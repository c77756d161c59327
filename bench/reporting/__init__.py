# SPDX-License-Identifier: BSL-1.0
"""What report.py is made of."""
