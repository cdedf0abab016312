const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** "2025-03-03" or an instant, as "Mar 3, 2025". Calendar days are read as UTC so that nobody sees the day before. */
export const formatDay = (day: string | Date) => dayFormat.format(new Date(day))
