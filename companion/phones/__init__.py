"""What a phone is offered: made from the view of its seat and nothing else."""
