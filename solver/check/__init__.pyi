from .evaluation import check as check
from .evaluation import evaluate as evaluate
