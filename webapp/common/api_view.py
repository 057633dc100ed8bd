"""The base of hand-written REST views."""

from rest_framework.views import APIView

from webapp.common.rest import Strict


class ApiView(Strict, APIView):
    """An APIView with scopes, roles and strict query parameters; see `Strict`."""
