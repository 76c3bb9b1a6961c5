"""What several estimators are built from: functions that trust the arrays they are given."""
