# One image for the web server, the scheduler and every worker; docker-compose.yml chooses the command.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=webapp.settings \
    WORKBENCH_HASHED_STATIC=true \
    WORKBENCH_HOME=/data

WORKDIR /app
COPY requirements/web.lock requirements/web.lock
RUN pip install --no-cache-dir uv==0.9.30 \
    && uv pip sync --system --require-hashes --no-cache requirements/web.lock

COPY . .
RUN useradd --uid 1000 --create-home workbench \
    && mkdir /data \
    && chown workbench:workbench /data
USER workbench
VOLUME /data
EXPOSE 8000

CMD ["python", "-m", "uvicorn", "webapp.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--log-level", "warning", "--timeout-graceful-shutdown", "5"]
