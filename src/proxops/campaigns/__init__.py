"""Campaigns: many dispersed cases of one scenario, flown by worker processes, and their figures.

Not named like the function `proxops.campaign`, which it would hide once it was imported.
"""

from proxops.campaigns.design import Design
from proxops.campaigns.fly import fly
from proxops.campaigns.job import Job
from proxops.campaigns.result import Campaign
from proxops.campaigns.scheduler import Scheduler

__all__ = ["Campaign", "Design", "Job", "Scheduler", "fly"]
