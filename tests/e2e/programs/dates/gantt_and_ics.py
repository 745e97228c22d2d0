# expect: success
# needs: matplotlib pandas
# files-kinds: {"plan.ics": "text", "gantt.png": "png"}
# cut
import pandas as pd
import matplotlib.pyplot as plt

tasks = pd.DataFrame({'task': ['Design', 'Build', 'Test'],
                      'start': pd.to_datetime(['2024-01-01', '2024-01-10',
                                               '2024-01-20']),
                      'days': [9, 10, 5]})
fig, ax = plt.subplots()
ax.barh(tasks['task'], tasks['days'], left=tasks['start'])
ax.invert_yaxis()
plt.savefig('/mnt/data/gantt.png')
plt.close(fig)
lines = ['BEGIN:VCALENDAR', 'VERSION:2.0']
for t in tasks.itertuples():
    lines += ['BEGIN:VEVENT', f'SUMMARY:{t.task}',
              f'DTSTART:{t.start:%Y%m%d}', 'END:VEVENT']
open('/mnt/data/plan.ics', 'w').write('\r\n'.join(lines + ['END:VCALENDAR']));
