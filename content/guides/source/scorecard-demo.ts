/** The demo month of the scorecard: invented entries of three locations, and the figures that the sheets show for them. */

export interface DemoTask {
  name: string
  role: string
  timesAWeek: number
  /** Minutes at locations 1 to 3 as it is done today; 0 where it isn't piloted. */
  baseline: [number, number, number]
}

export const demoTasks: [DemoTask, DemoTask, DemoTask] = [
  { name: 'Shift handover note', role: 'Closing lead', timesAWeek: 3, baseline: [18, 15, 20] },
  { name: 'First draft of review replies', role: 'Assistant manager', timesAWeek: 3, baseline: [6, 6, 7] },
  { name: 'Local social post', role: 'Manager', timesAWeek: 0.5, baseline: [25, 30, 0] },
]

type Mistake = 'None' | 'Small' | 'Big'
/** Day, location, task, items, minutes with AI, mistake and note. */
type Line = [number, 1 | 2 | 3, 0 | 1 | 2, number, number, Mistake?, string?]

const lines: Line[] = [
  [3, 1, 0, 2, 19],
  [4, 2, 0, 2, 18, 'Small', 'Order of points changed'],
  [5, 3, 0, 2, 22],
  [6, 1, 1, 5, 26, 'Small', 'Too formal'],
  [7, 2, 1, 4, 22],
  [8, 1, 2, 1, 30, 'Big', 'Wrong hours in the draft, caught by the check'],
  [10, 1, 0, 3, 25],
  [10, 2, 0, 2, 17],
  [11, 3, 0, 2, 21, 'Small', 'One heading missing'],
  [12, 3, 1, 4, 25],
  [13, 2, 2, 1, 34],
  [13, 1, 1, 5, 24],
  [17, 1, 0, 3, 24],
  [17, 3, 0, 3, 30],
  [18, 2, 0, 2, 16],
  [19, 2, 1, 4, 21, 'Small', 'Too long'],
  [20, 1, 2, 1, 28],
  [21, 3, 1, 3, 17],
  [24, 1, 0, 3, 23],
  [24, 2, 0, 3, 24],
  [25, 3, 0, 2, 19],
  [26, 1, 1, 5, 23],
  [27, 2, 2, 1, 31, 'Big', 'Post showed an old offer; taken down'],
  [28, 3, 0, 2, 20],
]

/** The entry whose mistake reached a customer. */
const reached = lines.length - 2

export const demoCosts = { hour: [22, 21, 23], tool: [30, 30, 30] } as const

export interface DemoEntry {
  /** Of the first month. */
  day: number
  location: 1 | 2 | 3
  task: DemoTask
  items: number
  each: number
  before: number
  withAi: number
  saved: number
  money: number
  mistake: Mistake
  reached: boolean
  note: string
}

export const demoEntries: DemoEntry[] = lines.map(
  ([day, location, taskIndex, items, withAi, mistake = 'None', note = ''], index) => {
    const task = demoTasks[taskIndex]
    const each = task.baseline[location - 1] ?? 0
    const saved = items * each - withAi
    const money = (saved / 60) * (demoCosts.hour[location - 1] ?? 0)
    const values = { day, location, task, items, each, before: items * each, withAi, saved, money }
    return { ...values, mistake, reached: index === reached, note }
  },
)

const sum = (entries: DemoEntry[], value: (entry: DemoEntry) => number) =>
  entries.reduce((total, entry) => total + value(entry), 0)

/** What the sheets calculate from the entries of one task, one location or all. */
export function demoTotals(keep: (entry: DemoEntry) => boolean = () => true) {
  const entries = demoEntries.filter(keep)
  const before = sum(entries, (entry) => entry.before)
  const saved = sum(entries, (entry) => entry.saved)
  const toolCost = demoCosts.tool.reduce(
    (total, cost, index) => total + (entries.some(({ location }) => location === index + 1) ? cost : 0),
    0,
  )
  const money = sum(entries, (entry) => entry.money)
  return {
    entries: entries.length,
    items: sum(entries, (entry) => entry.items),
    before,
    withAi: before - saved,
    saved,
    share: before === 0 ? '' : saved / before,
    money,
    toolCost,
    left: money - toolCost,
    big: entries.filter(({ mistake }) => mistake === 'Big').length,
    reached: entries.filter((entry) => entry.reached).length,
  }
}

/** The suggestion of the monthly review. */
export function demoAdvice(task: DemoTask, smallestSaving: number): string {
  const totals = demoTotals((entry) => entry.task === task)
  if (totals.reached > 0 || totals.saved < 0) return 'Stop'
  return totals.big > 0 || Number(totals.share) < smallestSaving ? 'Fix' : 'Keep'
}
