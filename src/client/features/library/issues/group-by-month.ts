const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "2026-10" or a day of it as "October 2026". */
export const formatMonth = (month: string) => monthFormat.format(new Date(month))

export type IssueMonth<T> = {
  /** "2026-10" */
  month: string
  /** "October 2026" */
  title: string
  issues: T[]
}

/** Groups issues by the month of their date. The newest month comes first, and in it the newest issue. */
export function groupByMonth<T extends { date: string }>(issues: readonly T[]): IssueMonth<T>[] {
  const months: IssueMonth<T>[] = []
  for (const issue of issues.toSorted((a, b) => b.date.localeCompare(a.date))) {
    const month = issue.date.slice(0, 7)
    const last = months.at(-1)
    if (last?.month === month) last.issues.push(issue)
    else months.push({ month, title: formatMonth(issue.date), issues: [issue] })
  }
  return months
}
