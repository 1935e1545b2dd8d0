"""Pictures, one file each: functions that return a Matplotlib `Figure`, which draw with `style.canvas`."""
