const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** An instant in the reader's own time: "Today, 10:34 AM", "Mar 3, 2025, 4:10 PM". */
export function momentText(at: string, now: Date): string {
  const instant = new Date(at)
  const date = day.format(instant)
  return `${date === day.format(now) ? 'Today' : date}, ${clock.format(instant)}`
}

type MomentProps = {
  at: string
  /** In the middle of a sentence: "last used today". */
  inline?: boolean
}

export function Moment({ at, inline = false }: MomentProps) {
  const text = momentText(at, new Date())
  return <time dateTime={at}>{inline ? text.replace(/^Today/, 'today') : text}</time>
}
