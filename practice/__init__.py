"""What a learner solves: the problems, and the judge that reads the answers."""
