from .privacy_loss import PrivacyLoss as PrivacyLoss
