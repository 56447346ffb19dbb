"""For teachers: an nbgrader course from the chapters, grading through the judge, and batches of any size."""
