"""For all tests: what hypothesis measures in time decides nothing; a gate at which searches of the fake engine wait."""

import pytest
from hypothesis import HealthCheck, settings

from tests.solver.service.fakes import Gate

settings.register_profile("any machine", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def gate(tmp_path):
    """A closed gate; opened at the end, so that a test that fails leaves no search behind."""
    gate = Gate(tmp_path / "gate")
    yield gate
    gate.open()
