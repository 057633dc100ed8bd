"""Every setting, read from the environment; a bad value refuses to start with a sentence."""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from workers import queues
from workers.embedded.home import Home

BASE_DIR: Final = Path(__file__).resolve().parent.parent
SMALLEST_SECRET: Final = 50


def _variable(name: str, default: Any) -> Any:
    return Field(default, validation_alias=AliasChoices(name))


class Environment(BaseSettings):
    """The variables we read. Lists are separated by commas."""

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True, extra="ignore")

    home: Path = _variable("WORKBENCH_HOME", BASE_DIR / ".data")
    database_url: str = _variable("DATABASE_URL", "")
    broker_url: str = _variable("CELERY_BROKER_URL", "")
    secret_key: SecretStr = _variable("SECRET_KEY", SecretStr(""))
    debug: bool = _variable("DEBUG", False)
    allowed_hosts: Annotated[list[str], NoDecode] = _variable("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
    trusted_origins: Annotated[list[str], NoDecode] = _variable("CSRF_TRUSTED_ORIGINS", [])
    https: bool = _variable("WORKBENCH_HTTPS", False)
    hashed_static: bool = _variable("WORKBENCH_HASHED_STATIC", False)
    language: Literal["en", "zh-hans"] = _variable("WORKBENCH_LANGUAGE", "en")
    time_zone: str = _variable("WORKBENCH_TIME_ZONE", "UTC")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = _variable("WORKBENCH_LOG_LEVEL", "INFO")
    run_inline: bool = _variable("WORKBENCH_RUN_INLINE", False)
    sandbox: Literal["auto", "bwrap", "lockdown", "unsafe"] = _variable("WORKBENCH_SANDBOX", "auto")
    visibility_timeout: Annotated[int, Field(ge=10)] = _variable("WORKBENCH_VISIBILITY_TIMEOUT", 6 * 3600)
    model: str = _variable("WORKBENCH_MODEL", "")
    world_model: str = _variable("WORKBENCH_WORLD_MODEL", "")
    simulated_calls: int = _variable("WORKBENCH_SIMULATED_CALLS", 200)
    model_api_base: str = _variable("WORKBENCH_MODEL_API_BASE", "")
    model_api_key: SecretStr = _variable("WORKBENCH_MODEL_API_KEY", SecretStr(""))

    @field_validator("allowed_hosts", "trusted_origins", mode="before")
    @classmethod
    def split(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def check_database(cls, value: str) -> str:
        return _check_url(value, {"postgres", "postgresql"}, "postgresql://user:password@host:5432/name")

    @field_validator("broker_url")
    @classmethod
    def check_broker(cls, value: str) -> str:
        return _check_url(value, {"redis", "rediss", "redis+socket", "amqp", "amqps"}, "redis://host:6379/0")

    @field_validator("model_api_base")
    @classmethod
    def check_model_address(cls, value: str) -> str:
        return _check_url(value, {"http", "https"}, "http://localhost:8001/v1")

    @field_validator("secret_key")
    @classmethod
    def check_secret(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < SMALLEST_SECRET:
            raise ValueError(f"must have at least {SMALLEST_SECRET} characters")
        return value

    @field_validator("time_zone")
    @classmethod
    def check_time_zone(cls, value: str) -> str:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("must be the name of a time zone, such as Europe/Vienna") from error
        return value


def _check_url(value: str, schemes: set[str], example: str) -> str:
    if value and urlsplit(value).scheme not in schemes:
        raise ValueError(f"must be an address such as {example}")
    return value


def read_environment() -> Environment:
    """The checked environment. Raises ImproperlyConfigured with one sentence per bad value."""
    try:
        return Environment()
    except ValidationError as error:
        raise ImproperlyConfigured(" ".join(_sentence(each) for each in error.errors())) from None


def _sentence(error: Any) -> str:
    name = str(error["loc"][0])
    reason = str(error["msg"]).removeprefix("Value error, ")
    # A secret is never repeated, and neither is an address: it may hold a password.
    shown = "" if any(word in name for word in ("KEY", "URL", "API_BASE")) else f" (it is {error['input']!r})"
    return f"The setting {name} is not usable{shown}: {reason}."


def database(url: str) -> dict[str, Any]:
    """Django's connection settings for a PostgreSQL address; `?host=` names a socket folder."""
    parts: SplitResult = urlsplit(url)
    extra = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": extra.pop("host", None) or parts.hostname or "",
        "PORT": str(parts.port or ""),
        # ASGI runs views in changing threads, where a kept connection would leak; a socket connects in a millisecond.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"application_name": "workbench", "connect_timeout": 5, **extra},
    }


def _secret_key() -> str:
    given = ENV.secret_key.get_secret_value()
    if given:
        return given
    if ENV.https:
        raise ImproperlyConfigured("Set SECRET_KEY: with WORKBENCH_HTTPS every server must share one key.")
    if HOME.is_ours():
        return HOME.secret_key()
    return secrets.token_urlsafe(64)  # no data folder yet, so nothing to sign that outlives this process


ENV = read_environment()
HOME = Home.at(ENV.home)

# The workbench itself
WORKBENCH_HOME = HOME.root
WORKBENCH_FILES = HOME.root / "files"
WORKBENCH_EMBEDDED_DATABASE = not ENV.database_url
WORKBENCH_EMBEDDED_BROKER = not ENV.broker_url
WORKBENCH_RUN_INLINE = ENV.run_inline
WORKBENCH_SANDBOX = ENV.sandbox
WORKBENCH_MODEL = ENV.model
WORKBENCH_WORLD_MODEL = ENV.world_model
WORKBENCH_SIMULATED_CALLS = ENV.simulated_calls
WORKBENCH_MODEL_API_BASE = ENV.model_api_base
WORKBENCH_MODEL_API_KEY = ENV.model_api_key.get_secret_value()

# Django
SECRET_KEY = _secret_key()
DEBUG = ENV.debug
ALLOWED_HOSTS = ENV.allowed_hosts
ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"
AUTH_USER_MODEL = "common.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": database(ENV.database_url or HOME.database_url)}
INSTALLED_APPS = [
    "webapp",
    "webapp.common",
    "services_app",
    "tasks_app",
    "training_app",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_htmx",
    "template_partials",
]
MIDDLEWARE = [
    "webapp.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "webapp.middleware.SecurityHeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webapp.middleware.SignInMiddleware",
    "webapp.middleware.UserLocaleMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "webapp.middleware.PageErrorMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "webapp.common.context.shell",
            ],
        },
    },
]

# People
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Languages and time
LANGUAGE_CODE = ENV.language
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = ENV.time_zone

# Static files: hashed names need `collectstatic`, which `up` and the container do before they start the server.
STATIC_URL = "/static/"
STATIC_ROOT = HOME.root / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not ENV.hashed_static
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": WORKBENCH_FILES},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if ENV.hashed_static
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}

# Protection
CSRF_TRUSTED_ORIGINS = ENV.trusted_origins
CSRF_FAILURE_VIEW = "webapp.views.csrf_failure"
CSRF_COOKIE_HTTPONLY = False  # htmx reads nothing from it, but the admin's own scripts do
CSRF_COOKIE_SECURE = ENV.https
SESSION_COOKIE_SECURE = ENV.https
SESSION_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = ENV.https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENV.https else None
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if ENV.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = ENV.https
SECURE_HSTS_PRELOAD = ENV.https
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "default-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "style-src": ["'self'"],
    "script-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 << 20
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 << 20

# REST
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "webapp.common.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["webapp.common.rest.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser", "rest_framework.parsers.MultiPartParser"],
    "DEFAULT_PAGINATION_CLASS": "webapp.common.pagination.CursorPages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "webapp.common.rest.problem_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "CompoWorld Workbench",
    "DESCRIPTION": "Services, tasks, trajectories, datasets and training runs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "PresetEnum": "training_app.engine.config.PRESETS",
        "ExperimentPresetEnum": "training_app.engine.experiment.PRESETS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "webapp.common.openapi.postprocess",
    ],
}

# Celery: messages carry ids, the truth is in PostgreSQL, a second delivery of the same id does nothing.
CELERY_BROKER_URL = ENV.broker_url or HOME.broker_url
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {}
    if CELERY_BROKER_URL.startswith("amqp")
    else {
        "visibility_timeout": ENV.visibility_timeout,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 5,
        "health_check_interval": 25,
    }
)
CELERY_TASK_DEFAULT_QUEUE = queues.DEFAULT
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# Queueing in a request must not hang on a broker that is away: the sweep queues the row again.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "webapp.common.jobs.sweep",
        "schedule": timedelta(seconds=5),
        # A sweep that waited longer than this is outdated: the next one is already queued.
        "options": {"queue": queues.DEFAULT, "expires": 15},
    },
}

# Words to the terminal; `up` keeps them in one bounded file per part.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "webapp.common.log.CleanFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": ENV.log_level},
    "loggers": {"django.server": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
}
