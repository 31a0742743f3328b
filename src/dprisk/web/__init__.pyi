from .questions import ask as ask
from .page import save_page as save_page, whole_page as whole_page
