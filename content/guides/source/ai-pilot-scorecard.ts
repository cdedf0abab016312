/**
 * The template "AI Pilot Scorecard": an Excel workbook of seven sheets for up to three locations. Tinted cells are for
 * typing, the rest calculates. While the switch on the first sheet says Yes, the reviews show the invented demo month
 * instead of the reader's own entries; No clears it everywhere. Formulas carry their results for viewers that do not
 * calculate.
 */
import { type DemoEntry, demoAdvice, demoCosts, demoEntries, demoTasks, demoTotals } from './scorecard-demo.ts'
import {
  amber,
  brick,
  calc,
  center,
  entry,
  head,
  headTint,
  heads,
  input,
  left,
  muted,
  pine,
  plain,
  row,
  section,
  subtitle,
  text,
  title,
} from './sheet-styles.ts'
import { type Cell, columnName, excelDate, type Sheet, type Style, writeWorkbook, type Workbook } from './workbook.ts'

const demoStyle: Style = { italic: true, color: muted, border: 'bottom', wrap: true }
const banner: Style = { size: 10, bold: true, color: brick, wrap: true, valign: 'top' }
const minutes = '#,##0;-#,##0;0'
const hours = '#,##0.0;-#,##0.0;0.0'
const money = '$#,##0.00;-$#,##0.00;$0.00'
const percent = '0%;-0%;0%'
const month = 'mmm yyyy'
const day = 'mmm d, yyyy'

const marigold = 'E0A030'
const taskCount = 20
const logCount = 300
const smallestSaving = 0.25
const locationIndexes = [1, 2, 3] as const
/** Rows of the sheets. */
const start = { show: 5, firstMonth: 6, saving: 7, lead: 8, firstLocation: 12, lastLocation: 14 }
const inv = { first: 5, last: 4 + taskCount }
const log = { first: 7, last: 6 + logCount }
const demoInv = { first: 6, last: 5 + demoTasks.length }
const demo = { first: 13, last: 12 + demoEntries.length }
const review = { first: 16, last: 15 + taskCount }
const year = { first: 5, last: 16 }
const roll = { month: 6, year: 13, tasks: 20 }

type RangeOf = (column: string) => string
const inLog: RangeOf = (column) => `'Time log'!$${column}$${log.first}:$${column}$${log.last}`
const inDemo: RangeOf = (column) => `'Demo month'!$${column}$${demo.first}:$${column}$${demo.last}`

/** A formula over the demo month or over the reader's log, as the switch says. */
const either = (formula: (range: RangeOf) => string) => `IF(ShowDemo="Yes",${formula(inDemo)},${formula(inLog)})`

/** Criteria of SUMIFS and COUNTIFS for the month that starts in the given cell. */
const inMonth = (range: RangeOf, cell: string) => `${range('B')},">="&${cell},${range('B')},"<"&EDATE(${cell},1)`

const shownWithDemo = (message: string): Cell => calc(`IF(ShowDemo="Yes","${message}","")`, message, banner)

const demoBanner = () => shownWithDemo('DEMO MONTH, invented figures. To clear it, choose No on the sheet Start here.')

interface Edition {
  edition: Date
}

const monthOf = ({ edition }: Edition, later = 0) =>
  excelDate(edition.getUTCFullYear(), edition.getUTCMonth() + 1 + later, 1)
const sampleDate = ({ edition }: Edition) => `${edition.getUTCMonth() + 1}/1/${edition.getUTCFullYear()}`

function startSheet(imprint: Edition): Sheet {
  const settings: [string, Cell, string][] = [
    [
      'Show the demo month',
      entry({ align: 'left', bold: true }, 'Yes'),
      'Yes: the reviews show invented figures. No: they show your own. Nothing you typed is lost.',
    ],
    [
      'First month',
      entry({ format: month, align: 'left' }, monthOf(imprint)),
      `Sample value. Type the first day of your first month, such as ${sampleDate(imprint)}. All sheets follow it.`,
    ],
    [
      'Smallest saving worth keeping',
      entry({ format: percent, align: 'left' }, smallestSaving),
      'Sample value. Share of the old minutes, checking and fixing included. Set it before you start.',
    ],
    ['Pilot lead', entry(), 'Role is enough'],
  ]
  const steps = [
    'Look at the demo month in the reviews. Then choose No in the first tinted cell and replace the sample values.',
    'Task inventory: list what people read and write in a normal week. Time each task at least twice at each location, as it is done today. That number is the baseline.',
    'Pilot two or three tasks marked “Pilot first”. Test the prompts before they are used on shift.',
    'Time log: one line per use. Minutes with AI include writing the prompt, waiting, checking and fixing.',
    'Monthly review: choose month and location, read it with the team, decide for each task: keep, fix or stop.',
    'Three locations and Year view fill in from the log. Print them for the owner or your field consultant.',
  ]
  const words: [string, string][] = [
    ['Small mistake', 'Wording, order, length. Fixed in under a minute.'],
    ['Big mistake', 'Something wrong, invented or missing that matters; a promise; personal data.'],
    ['Reached a customer', 'A wrong result was sent, posted or said before the check caught it.'],
    [
      'Money saved',
      'Minutes saved times the cost of an hour at that location. It is real only if the time goes somewhere: fewer paid hours, or work that was left undone before. Write down where.',
    ],
  ]
  const rules = [
    'No names of customers or employees in this workbook. Use roles: closing lead, cashier.',
    'The log measures tasks and tools, not people. Do not use it to rank anyone.',
    'What never goes into an AI tool stays out, in a pilot too. The list is in the AI Use Policy.',
    'Check your franchise agreement and local law before a pilot that customers can see.',
  ]

  const cells: [string, Cell][] = [
    ['A1', text('AI Pilot Scorecard', title)],
    [
      'A2',
      text(
        `For one to three locations. ${imprint.edition.getUTCFullYear()} edition. Type in the tinted cells; everything else calculates.`,
        subtitle,
      ),
    ],
    ['A4', text('Your numbers', section)],
  ]
  const merges = ['A2:C2']
  const heights: Record<number, number> = { 1: 32, 2: 20 }
  settings.forEach(([label, cell, hint], index) => {
    const at = start.show + index
    cells.push(
      ...row(at, [
        text(label, { ...plain, bold: true }),
        cell,
        text(hint, { ...plain, ...left, color: muted, size: 9 }),
      ]),
    )
    heights[at] = 22
  })
  cells.push(
    ['A10', text('Your locations', section)],
    ...row(11, heads(['Name or number', 'Cost of one hour', 'Tool cost per month'], 'llli')),
  )
  heights[11] = 18
  locationIndexes.forEach((location, index) => {
    const at = start.firstLocation + index
    cells.push(
      ...row(at, [
        entry({}, `Location ${location}`),
        entry({ format: money, align: 'left' }, demoCosts.hour[index]),
        entry({ format: money, align: 'left' }, demoCosts.tool[index]),
      ]),
    )
    heights[at] = 19
  })
  cells.push([
    'A15',
    text(
      'Sample values. Cost of an hour: wage plus payroll taxes and insurance of the people who do these tasks. Leave the lines that you don’t need empty.',
      { ...subtitle, size: 9 },
    ),
  ])
  merges.push('A15:C15')
  heights[15] = 18

  let at = 16
  const list = (name: string, lines: [string, string][]) => {
    at++
    cells.push([`A${at++}`, text(name, section)])
    for (const [label, line] of lines) {
      cells.push(
        ...row(at, [
          text(label, { ...plain, bold: true, valign: 'top' }),
          text(line, { ...plain, valign: 'top' }),
          text(''),
        ]),
      )
      merges.push(`B${at}:C${at}`)
      heights[at++] = line.length > 100 ? 32 : 19
    }
  }
  list(
    'How to use it',
    steps.map((line, index) => [`Step ${index + 1}`, line]),
  )
  list('What the words mean', words)
  list(
    'House rules',
    rules.map((line, index) => [`Rule ${index + 1}`, line]),
  )

  return {
    name: 'Start here',
    tab: pine,
    columns: [30, 22, 78],
    cells: new Map(cells),
    heights,
    merges,
    landscape: true,
    onePage: true,
    validations: [
      { range: `B${start.show}`, type: 'list', from: '"Yes,No"', error: 'Choose Yes or No.' },
      {
        range: `B${start.firstMonth}`,
        type: 'date',
        from: '43831',
        error: `Type a date, such as ${sampleDate(imprint)}.`,
      },
      {
        range: `B${start.saving}`,
        type: 'decimal',
        from: '0',
        to: '1',
        error: 'Type a share between 0% and 100%.',
      },
      {
        range: `B${start.firstLocation}:C${start.lastLocation}`,
        type: 'decimal',
        from: '0',
        error: 'Type an amount of money, 0 or more.',
      },
    ],
    highlights: [{ range: `B${start.show}`, formula: `B${start.show}="Yes"`, color: brick, bold: true }],
  }
}

/** Names of the locations as headings; a number where the reader left the line empty. */
const locationName = (location: number) =>
  `IF(INDEX(LocationNames,${location})="","Location ${location}",INDEX(LocationNames,${location}))`

const locationHeads = (result = head) =>
  locationIndexes.map((location) => calc(locationName(location), `Location ${location}`, result))

function demoSheet(imprint: Edition): Sheet {
  const heights: Record<number, number> = { 1: 30, 2: 18, 5: 34, 12: 40 }
  const left1 = { ...demoStyle, ...left }
  const centered = { ...demoStyle, ...center }
  const cells: [string, Cell][] = [
    ['A1', text('Demo month', title)],
    [
      'A2',
      text(
        'Invented figures for three locations, to show how the reviews read. Don’t type here: your tasks and entries have their own sheets.',
        subtitle,
      ),
    ],
    ['A4', text('Demo tasks', section)],
    ...row(5, [
      ...heads(['No.', '', '', 'Task', 'Done by (role)', 'Times a week'], 'lllllc'),
      ...locationHeads({ ...head, align: 'right' }),
    ]),
  ]
  demoTasks.forEach(({ name, role, timesAWeek, baseline }, index) => {
    const r = demoInv.first + index
    cells.push(
      ...row(r, [
        { value: index + 1, style: { ...demoStyle, align: 'left' } },
        text('', demoStyle),
        text('', demoStyle),
        text(name, demoStyle),
        text(role, demoStyle),
        { value: timesAWeek, style: centered },
        ...baseline.map((value) => (value === 0 ? text('', demoStyle) : { value, style: demoStyle })),
      ]),
    )
    heights[r] = 19
  })
  cells.push(
    [
      'D10',
      text('The columns under a location hold the minutes the task takes there today, without AI.', {
        ...subtitle,
        size: 9,
      }),
    ],
    ['A11', text('Demo entries', section)],
    ...row(12, logHeads()),
  )
  demoEntries.forEach((demoEntry, index) => {
    const r = demo.first + index
    const { location, task, items, withAi, mistake, reached, note } = demoEntry
    const computed = logFormulas(r, {
      tasks: `'Demo month'!$D$${demoInv.first}:$D$${demoInv.last}`,
      baselines: `'Demo month'!$G$${demoInv.first}:$I$${demoInv.last}`,
      results: demoEntry,
      style: demoStyle,
    })
    cells.push(
      ...row(r, [
        text(`Demo ${index + 1}`, demoStyle),
        calc(`DATE(YEAR(FirstMonth),MONTH(FirstMonth),${demoEntry.day})`, monthOf(imprint) + demoEntry.day - 1, {
          ...demoStyle,
          format: day,
          align: 'left',
        }),
        calc(locationName(location), `Location ${location}`, demoStyle),
        text(task.name, demoStyle),
        text(task.role, demoStyle),
        { value: items, style: centered },
        computed.each,
        computed.before,
        { value: withAi, style: demoStyle },
        computed.saved,
        computed.money,
        text(mistake, left1),
        text(reached ? 'Yes' : 'No', left1),
        text('Shift lead', left1),
        text(note, left1),
        { value: location, style: { ...demoStyle, ...center } },
      ]),
    )
    heights[r] = 19
  })
  return {
    name: 'Demo month',
    tab: muted,
    columns: logColumns,
    cells: new Map(cells),
    heights,
    merges: ['A2:O2', 'D10:K10'],
    landscape: true,
    printArea: `A1:O${demo.last}`,
    onePage: true,
  }
}

function inventorySheet(): Sheet {
  const heights: Record<number, number> = { 1: 30, 2: 18, 4: 54 }
  const columns = [6, 34, 18, 9, 11, 11, 11, 10, 12, 12, 14, 11, 13, 8, 20, 13]
  const suggestion = (r: number) =>
    `IF(B${r}="","",IF(OR(D${r}="",COUNT(E${r}:G${r})=0,COUNTA(I${r}:M${r})<5),"Fill in the row",IF(OR(K${r}="Yes",M${r}="No"),"Keep out of AI",IF(K${r}="Unsure","Find out first",IF(AND(L${r}="Yes",M${r}="Asked"),"Wait for franchisor",IF(N${r}>=5,"Pilot first",IF(N${r}>=3,"Pilot later","Leave as it is")))))))`

  const cells: [string, Cell][] = [
    ['A1', text('Task inventory', title)],
    [
      'A2',
      text(
        'Score: often (5 or more a week = 2, weekly = 1, less = 0) plus same shape (0 to 2) plus speed of a full check (0 to 2). Suggestions follow from the score and from columns K to M.',
        subtitle,
      ),
    ],
    ...row(4, [
      ...heads(['No.', 'Task', 'Done by (role)', 'Times a week'], 'lllc'),
      ...locationIndexes.map((location) =>
        calc(`"Minutes each today, "&${locationName(location)}`, `Minutes each today, Location ${location}`, {
          ...head,
          ...center,
        }),
      ),
      ...heads(
        [
          'Minutes a week (average)',
          'Same shape each time? 0 no, 2 yes',
          'Full check: 0 slow, 2 one look',
          'Needs personal or confidential data?',
          'Will customers see it?',
          'Franchisor agrees?',
          'Score',
          'Suggestion',
          'Status',
        ],
        'cccccccil',
      ),
    ]),
  ]
  for (let r = inv.first; r <= inv.last; r++) {
    const e = () => entry()
    const c = () => entry(center)
    cells.push(
      ...row(r, [
        { value: r - inv.first + 1, style: { ...plain, color: muted, align: 'left' } },
        e(),
        e(),
        c(),
        c(),
        c(),
        c(),
        calc(`IF(OR(D${r}="",COUNT(E${r}:G${r})=0),"",D${r}*AVERAGE(E${r}:G${r}))`, '', {
          ...center,
          format: minutes,
        }),
        c(),
        c(),
        c(),
        c(),
        c(),
        calc(`IF(OR(D${r}="",I${r}="",J${r}=""),"",IF(D${r}>=5,2,IF(D${r}>=1,1,0))+I${r}+J${r})`, '', center),
        calc(suggestion(r), '', { bold: true, ...left }),
        e(),
      ]),
    )
    heights[r] = 19
  }
  const range = (from: string, to = from) => `${from}${inv.first}:${to}${inv.last}`
  return {
    name: 'Task inventory',
    tab: pine,
    columns,
    cells: new Map(cells),
    heights,
    merges: ['A2:P2'],
    freeze: 'C5',
    landscape: true,
    repeatRows: '4:4',
    printArea: `A1:P${inv.last}`,
    onePage: true,
    validations: [
      { range: range('D', 'G'), type: 'decimal', from: '0', error: 'Type a number, 0 or more.' },
      {
        range: range('I'),
        type: 'list',
        from: '"0,1,2"',
        error: 'Choose 0, 1 or 2.',
        hint: '0 = different each time, 1 = mostly the same, 2 = the same',
      },
      {
        range: range('J'),
        type: 'list',
        from: '"0,1,2"',
        error: 'Choose 0, 1 or 2.',
        hint: '0 = checking takes as long as doing it, 1 = a few minutes, 2 = one look',
      },
      {
        range: range('K'),
        type: 'list',
        from: '"Yes,No,Unsure"',
        error: 'Choose Yes, No or Unsure.',
        hint: 'Anything on the list of what never goes into an AI tool',
      },
      { range: range('L'), type: 'list', from: '"Yes,No"', error: 'Choose Yes or No.' },
      {
        range: range('M'),
        type: 'list',
        from: '"Yes,Asked,No,Not needed"',
        error: 'Choose one of the list.',
        hint: 'Not needed = your agreement and brand standards leave it to you, and you have checked',
      },
      {
        range: range('P'),
        type: 'list',
        from: '"Not started,Testing,In use,Stopped"',
        error: 'Choose one of the list.',
      },
    ],
    highlights: [
      { range: range('O'), formula: `O${inv.first}="Pilot first"`, color: pine, bold: true },
      { range: range('O'), formula: `O${inv.first}="Keep out of AI"`, color: brick, bold: true },
      {
        range: range('O'),
        formula: `OR(O${inv.first}="Find out first",O${inv.first}="Wait for franchisor",O${inv.first}="Fill in the row")`,
        color: amber,
        bold: true,
      },
    ],
  }
}

/** The log's last column holds the number of the location, for the formulas. */
const logColumns = [10, 13, 14, 32, 16, 7, 11, 10, 10, 10, 11, 10, 11, 14, 34, 9]

const logHeads = () =>
  heads(
    [
      'Entry',
      'Date',
      'Location',
      'Task',
      'Done by (role)',
      'Items',
      'Minutes each, before',
      'Minutes before',
      'Minutes with AI',
      'Minutes saved',
      'Money saved',
      'Mistake',
      'Reached a customer?',
      'Checked by (role)',
      'Note (no names)',
      'Location no.',
    ],
    'lllllcrrrrriiiic',
  )

interface LogFormulas {
  tasks: string
  baselines: string
  results?: DemoEntry
  style?: Style
}

/** What both logs calculate in a line. */
function logFormulas(r: number, { tasks, baselines, results, style }: LogFormulas) {
  const lookUp = `INDEX(${baselines},MATCH(D${r},${tasks},0),P${r})`
  return {
    each: calc(`IF(D${r}="","",IFERROR(IF(${lookUp}=0,"none",${lookUp}),"none"))`, results?.each ?? '', {
      format: minutes,
      align: 'right',
      ...style,
    }),
    before: calc(`IF(OR(F${r}="",I${r}="",NOT(ISNUMBER(G${r}))),"",F${r}*G${r})`, results?.before ?? '', {
      format: minutes,
      ...style,
    }),
    saved: calc(`IF(H${r}="","",H${r}-I${r})`, results?.saved ?? '', { format: minutes, bold: true, ...style }),
    money: calc(`IF(J${r}="","",J${r}/60*INDEX(HourCosts,P${r}))`, results?.money ?? '', {
      format: money,
      ...style,
    }),
  }
}

function logSheet(imprint: Edition): Sheet {
  const column = (letter: string) => `${letter}${log.first}:${letter}${log.last}`
  const blank = { style: { ...plain, fill: headTint } }
  const bold = { bold: true, fill: headTint }
  const cells: [string, Cell][] = [
    ['A1', text('Time log', title)],
    [
      'A2',
      text(
        'One line per use. Minutes with AI: from opening the tool to a checked and corrected result. “none” in column G means that the task has no baseline at this location yet. No location means the first one.',
        subtitle,
      ),
    ],
    [
      'A3',
      shownWithDemo('The reviews show the demo month, not these entries. To change that, choose No on Start here.'),
    ],
    ...row(4, [
      text('Total', { ...plain, ...bold, wrap: false }),
      blank,
      blank,
      blank,
      blank,
      calc(`SUM(${column('F')})`, 0, { ...center, ...bold, format: minutes }),
      blank,
      calc(`SUM(${column('H')})`, 0, { ...bold, format: minutes }),
      // Only lines with a baseline: the three figures then always agree.
      calc('H4-J4', 0, { ...bold, format: minutes }),
      calc(`SUM(${column('J')})`, 0, { ...bold, format: minutes }),
      calc(`SUM(${column('K')})`, 0, { ...bold, format: money }),
      calc(`COUNTIF(${column('L')},"Big")`, 0, { ...bold, ...left, format: '0" big"' }),
      calc(`COUNTIF(${column('M')},"Yes")`, 0, { ...bold, ...left, format: '0" reached"' }),
      blank,
      blank,
      blank,
    ]),
    ...row(6, logHeads()),
  ]
  for (let r = log.first; r <= log.last; r++) {
    const computed = logFormulas(r, {
      tasks: `'Task inventory'!$B$${inv.first}:$B$${inv.last}`,
      baselines: `'Task inventory'!$E$${inv.first}:$G$${inv.last}`,
    })
    cells.push(
      ...row(r, [
        { value: r - log.first + 1, style: { ...plain, color: muted, align: 'left' } },
        entry({ format: day, align: 'left' }),
        entry(),
        entry(),
        entry(),
        entry(center),
        computed.each,
        computed.before,
        entry(),
        computed.saved,
        computed.money,
        entry(left),
        entry(left),
        entry(left),
        entry(left),
        calc(`IF(D${r}="","",IF(C${r}="",1,IFERROR(MATCH(C${r},LocationNames,0),1)))`, '', {
          ...center,
          color: muted,
        }),
      ]),
    )
  }
  return {
    name: 'Time log',
    tab: marigold,
    columns: logColumns,
    cells: new Map(cells),
    heights: { 1: 30, 2: 30, 3: 18, 6: 40 },
    merges: ['A2:O2', 'A3:O3'],
    freeze: 'E7',
    landscape: true,
    repeatRows: '6:6',
    printArea: `A1:O${log.last}`,
    validations: [
      { range: column('B'), type: 'date', from: '43831', error: `Type a date, such as ${sampleDate(imprint)}.` },
      {
        range: column('C'),
        type: 'list',
        from: `'Start here'!$A$${start.firstLocation}:$A$${start.lastLocation}`,
        error: 'Choose a location from the list; names are on the sheet Start here.',
      },
      {
        range: column('D'),
        type: 'list',
        from: `'Task inventory'!$B$${inv.first}:$B$${inv.last}`,
        error: 'Choose a task from the Task inventory sheet; add it there first.',
      },
      { range: column('F'), type: 'whole', from: '1', error: 'Type a whole number, 1 or more.' },
      {
        range: column('I'),
        type: 'decimal',
        from: '0',
        error: 'Type minutes, 0 or more.',
        hint: 'All items of this line together, checking and fixing included',
      },
      { range: column('L'), type: 'list', from: '"None,Small,Big"', error: 'Choose None, Small or Big.' },
      { range: column('M'), type: 'list', from: '"No,Yes"', error: 'Choose No or Yes.' },
    ],
    highlights: [
      { range: column('L'), formula: `L${log.first}="Big"`, color: brick, bold: true },
      { range: column('M'), formula: `M${log.first}="Yes"`, color: brick, bold: true },
      { range: column('J'), formula: `AND(ISNUMBER(J${log.first}),J${log.first}<0)`, color: brick, bold: true },
    ],
  }
}

function reviewSheet(imprint: Edition): Sheet {
  const totals = demoTotals()
  // All three locations, or the chosen one.
  const chosen = `IF($B$5="All locations",">0",MATCH($B$5,'Three locations'!$N$7:$N$9,0))`
  const period = (range: RangeOf) => `${inMonth(range, '$B$4')},${range('P')},${chosen}`
  const sumOf = (column: string) => either((range) => `SUMIFS(${range(column)},${period(range)})`)
  const countOf = (column: string, value: string) =>
    either((range) => `COUNTIFS(${period(range)},${range(column)},"${value}")`)
  const heights: Record<number, number> = { 1: 30, 2: 18, 3: 18, 15: 40 }
  const merges = ['A2:K2', 'A3:K3']
  const figures: [string, string, string | number, string, string, string, number, string][] = [
    ['Minutes before', sumOf('H'), totals.before, minutes, 'Money saved', sumOf('K'), totals.money, money],
    [
      'Minutes with AI',
      'B7-B9',
      totals.withAi,
      minutes,
      'Tool cost',
      `IF($B$5="All locations",'Three locations'!$I$${roll.month + 3},INDEX('Three locations'!$I$${roll.month}:$I$${roll.month + 2},MATCH($B$5,'Three locations'!$N$7:$N$9,0)))`,
      totals.toolCost,
      money,
    ],
    ['Minutes saved', sumOf('J'), totals.saved, minutes, 'Left after tool cost', 'G7-G8', totals.left, money],
    ['Hours saved', 'B9/60', totals.saved / 60, hours, 'Big mistakes', countOf('L', 'Big'), totals.big, '0'],
    [
      'Share of old minutes saved',
      'IF(B7=0,"",B9/B7)',
      totals.share,
      percent,
      'Reached a customer',
      countOf('M', 'Yes'),
      totals.reached,
      '0',
    ],
  ]
  const cells: [string, Cell][] = [
    ['A1', text('Monthly review', title)],
    [
      'A2',
      text(
        'Choose month and location in the tinted cells. The suggestion applies your smallest worthwhile saving; the decision is yours.',
        subtitle,
      ),
    ],
    ['A3', demoBanner()],
    ['A4', text('Month', { ...plain, bold: true })],
    [
      'B4',
      {
        formula: `'Year view'!$A$${year.first}`,
        value: monthOf(imprint),
        style: { ...input, format: month, align: 'left', bold: true },
      },
    ],
    ['A5', text('Location', { ...plain, bold: true })],
    ['B5', entry({ align: 'left', bold: true }, 'All locations')],
  ]
  figures.forEach(([label, formula, value, format, label2, formula2, value2, format2], index) => {
    const r = 7 + index
    cells.push([`A${r}`, text(label)], [`B${r}`, calc(formula, value, { bold: true, format })])
    for (const column of ['D', 'E', 'F']) cells.push([`${column}${r}`, text(column === 'D' ? label2 : '')])
    merges.push(`D${r}:F${r}`)
    heights[r] = 19
    cells.push([`G${r}`, calc(formula2, value2, { bold: true, format: format2 })])
  })
  cells.push(['A13', text('Task by task', section)])
  cells.push(
    ...row(
      15,
      heads(
        [
          'Task',
          'Items',
          'Minutes before',
          'Minutes with AI',
          'Minutes saved',
          'Share saved',
          'Big mistakes',
          'Reached a customer',
          'Suggestion',
          'Decision',
          'Where the time goes; who does what next, by when',
        ],
        'lcrrrrcciii',
      ),
    ),
  )
  for (let r = review.first; r <= review.last; r++) {
    const demoTask = demoTasks[r - review.first]
    const shown = demoTask && demoTotals((demoEntry) => demoEntry.task === demoTask)
    const own = (range: RangeOf) => `${period(range)},${range('D')},$A${r}`
    const unlessEmpty = (formula: string, value: string | number | undefined, style: Style = {}) =>
      calc(`IF($A${r}="","",${formula})`, value ?? '', style)
    const sumTask = (column: string) => either((range) => `SUMIFS(${range(column)},${own(range)})`)
    const countTask = (column: string, value: string) =>
      either((range) => `COUNTIFS(${own(range)},${range(column)},"${value}")`)
    cells.push(
      ...row(r, [
        calc(taskName(r - review.first), demoTask?.name ?? ''),
        unlessEmpty(sumTask('F'), shown?.items, { ...center, format: minutes }),
        unlessEmpty(sumTask('H'), shown?.before, { format: minutes }),
        unlessEmpty(`C${r}-E${r}`, shown?.withAi, { format: minutes }),
        unlessEmpty(sumTask('J'), shown?.saved, { format: minutes }),
        unlessEmpty(`IF(C${r}=0,"",E${r}/C${r})`, shown?.share, { format: percent }),
        unlessEmpty(countTask('L', 'Big'), shown?.big, center),
        unlessEmpty(countTask('M', 'Yes'), shown?.reached, center),
        unlessEmpty(
          `IF(B${r}=0,"No entries",IF(C${r}=0,"No baseline",IF(OR(H${r}>0,E${r}<0),"Stop",IF(OR(G${r}>0,F${r}<SmallestSaving),"Fix","Keep"))))`,
          demoTask && demoAdvice(demoTask, smallestSaving),
          { ...left, bold: true },
        ),
        entry(left),
        entry(left),
      ]),
    )
    heights[r] = 19
  }
  const questions = [
    'Where did the saved time go? Name hours, shifts or work that is now done.',
    'Each big mistake: how did it get past the prompt, and who (by role) caught it?',
    'What do the people who use it want to drop or change?',
    'Did any tool change its price or its data terms? Who has access, and who left?',
    'Has the franchisor or the law changed what we may do?',
  ]
  let at = review.last + 2
  cells.push([`A${at++}`, text('Five questions for the meeting', section)])
  for (const question of questions) {
    cells.push([`A${at}`, text(question, { ...plain, valign: 'top' })])
    for (let column = 2; column <= 11; column++) cells.push([`${columnName(column)}${at}`, entry({ valign: 'top' })])
    merges.push(`B${at}:K${at}`)
    heights[at++] = 42
  }
  at++
  cells.push([`A${at}`, text('Decided by (role), date', { ...plain, bold: true })])
  for (let column = 2; column <= 11; column++) cells.push([`${columnName(column)}${at}`, entry()])
  merges.push(`B${at}:K${at}`)
  heights[at] = 22

  const decisions = `I${review.first}:J${review.last}`
  return {
    name: 'Monthly review',
    tab: marigold,
    columns: [36, 14, 11, 11, 11, 10, 11, 12, 13, 12, 44],
    cells: new Map(cells),
    heights,
    merges,
    freeze: 'A6',
    landscape: true,
    printArea: `A1:K${at}`,
    onePage: true,
    validations: [
      {
        range: 'B4',
        type: 'list',
        from: `'Year view'!$A$${year.first}:$A$${year.last}`,
        error: 'Choose a month from the list.',
        hint: 'The list starts with the first month on the sheet Start here.',
      },
      {
        range: 'B5',
        type: 'list',
        from: "'Three locations'!$N$6:$N$9",
        error: 'Choose a location from the list.',
      },
      {
        range: `J${review.first}:J${review.last}`,
        type: 'list',
        from: '"Keep,Fix,Stop"',
        error: 'Choose Keep, Fix or Stop.',
      },
    ],
    highlights: [
      { range: decisions, formula: `I${review.first}="Keep"`, color: pine, bold: true },
      { range: decisions, formula: `I${review.first}="Fix"`, color: amber, bold: true },
      { range: decisions, formula: `I${review.first}="Stop"`, color: brick, bold: true },
    ],
  }
}

/** The task in this line of the demo month or of the inventory. */
function taskName(index: number): string {
  const own = `'Task inventory'!$B$${inv.first + index}`
  const shown = index < demoTasks.length ? `'Demo month'!$D$${demoInv.first + index}` : '""'
  return `IF(ShowDemo="Yes",${shown},IF(${own}="","",${own}))`
}

const rollHeads = [
  'Location',
  'Entries',
  'Items',
  'Hours before',
  'Hours with AI',
  'Hours saved',
  'Share saved',
  'Money saved',
  'Tool cost',
  'Left after tool cost',
  'Big mistakes',
  'Reached a customer',
]

function locationsSheet(imprint: Edition): Sheet {
  const bold = { bold: true, fill: headTint }
  const monthCell = "'Monthly review'!$B$4"
  const wholeYear = (range: RangeOf) =>
    `${range('B')},">="&'Year view'!$A$${year.first},${range('B')},"<"&EDATE('Year view'!$A$${year.last},1)`
  const heights: Record<number, number> = { 1: 30, 2: 18, 3: 18, [roll.month - 1]: 34, [roll.year - 1]: 34 }
  const cells: [string, Cell][] = [
    ['A1', text('Three locations', title)],
    [
      'A2',
      text(
        'The month chosen on the sheet Monthly review, then all twelve months, then each task by location.',
        subtitle,
      ),
    ],
    ['A3', demoBanner()],
    [
      `A${roll.month - 2}`,
      calc(monthCell, monthOf(imprint), { ...section, format: '"Month: "mmm yyyy', align: 'left' }),
    ],
    [`A${roll.year - 2}`, text('Twelve months', section)],
  ]

  const block = (first: number, period: (range: RangeOf) => string, toolCost: (location: number) => string) => {
    cells.push(...row(first - 1, heads(rollHeads, 'lrrrrrrrrrrr')))
    for (const location of locationIndexes) {
      const r = first + location - 1
      const shown = demoTotals((demoEntry) => demoEntry.location === location)
      const own = (range: RangeOf) => `${period(range)},${range('P')},${location}`
      const sumOf = (column: string) => either((range) => `SUMIFS(${range(column)},${own(range)})`)
      const countOf = (column: string, value: string) =>
        either((range) => `COUNTIFS(${own(range)},${range(column)},"${value}")`)
      cells.push(
        ...row(r, [
          calc(locationName(location), `Location ${location}`, { bold: true }),
          calc(
            either((range) => `COUNTIFS(${own(range)})`),
            shown.entries,
          ),
          calc(sumOf('F'), shown.items, { format: minutes }),
          calc(`${sumOf('H')}/60`, shown.before / 60, { format: hours }),
          calc(`D${r}-F${r}`, shown.withAi / 60, { format: hours }),
          calc(`${sumOf('J')}/60`, shown.saved / 60, { format: hours, bold: true }),
          calc(`IF(D${r}=0,"",F${r}/D${r})`, shown.share, { format: percent }),
          calc(sumOf('K'), shown.money, { format: money }),
          calc(toolCost(location), shown.toolCost, { format: money }),
          calc(`H${r}-I${r}`, shown.left, { format: money, bold: true }),
          calc(countOf('L', 'Big'), shown.big),
          calc(countOf('M', 'Yes'), shown.reached),
        ]),
      )
      heights[r] = 19
    }
    const r = first + 3
    const all = demoTotals()
    const sum = (column: string, value: number, format = minutes) =>
      calc(`SUM(${column}${first}:${column}${first + 2})`, value, { ...bold, format })
    cells.push(
      ...row(r, [
        text('All locations', { ...plain, ...bold }),
        sum('B', all.entries),
        sum('C', all.items),
        sum('D', all.before / 60, hours),
        sum('E', all.withAi / 60, hours),
        sum('F', all.saved / 60, hours),
        calc(`IF(D${r}=0,"",F${r}/D${r})`, all.share, { ...bold, format: percent }),
        sum('H', all.money, money),
        sum('I', all.toolCost, money),
        sum('J', all.left, money),
        sum('K', all.big),
        sum('L', all.reached),
      ]),
    )
    heights[r] = 19
  }
  // The month's tool cost is the one on the year view, where readers may have changed it.
  const costColumn = (location: number) => columnName(13 + location)
  block(
    roll.month,
    (range) => inMonth(range, monthCell),
    (location) =>
      `IFERROR(INDEX('Year view'!$${costColumn(location)}$${year.first}:$${costColumn(location)}$${year.last},MATCH(${monthCell},'Year view'!$A$${year.first}:$A$${year.last},0)),0)`,
  )
  block(roll.year, wholeYear, (location) => {
    const column = costColumn(location)
    return `SUM('Year view'!$${column}$${year.first}:$${column}$${year.last})`
  })

  cells.push(
    [`A${roll.tasks - 2}`, text('Share of old minutes saved in the month, task by location', section)],
    ...row(roll.tasks - 1, [...heads(['Task'], 'l'), ...locationHeads({ ...head, align: 'right' })]),
    ['E19', text('All', { ...head, align: 'right' })],
  )
  for (let index = 0; index < taskCount; index++) {
    const r = roll.tasks + index
    const demoTask = demoTasks[index]
    const share = (location: number | null) => {
      const own = (range: RangeOf) =>
        `${inMonth(range, monthCell)},${range('D')},$A${r}${location === null ? '' : `,${range('P')},${location}`}`
      const before = either((range) => `SUMIFS(${range('H')},${own(range)})`)
      const saved = either((range) => `SUMIFS(${range('J')},${own(range)})`)
      const shown =
        demoTask &&
        demoTotals((demoEntry) => demoEntry.task === demoTask && (location === null || demoEntry.location === location))
      return calc(`IF($A${r}="","",IF(${before}=0,"",${saved}/${before}))`, shown?.share ?? '', { format: percent })
    }
    cells.push(
      ...row(r, [
        calc(taskName(index), demoTask?.name ?? ''),
        ...locationIndexes.map((location) => share(location)),
        share(null),
      ]),
    )
    heights[r] = 18
  }
  // Choices of the list on the monthly review; outside the printed part.
  cells.push(
    ['N5', text('For the list', { ...head })],
    ['N6', text('All locations', { color: muted })],
    ...locationIndexes.map((location): [string, Cell] => [
      `N${6 + location}`,
      calc(locationName(location), `Location ${location}`, { color: muted }),
    ]),
  )
  const last = roll.tasks + taskCount - 1
  return {
    name: 'Three locations',
    tab: marigold,
    columns: [34, 12, 12, 12, 12, 11, 11, 13, 12, 15, 11, 12, 4, 16],
    cells: new Map(cells),
    heights,
    merges: ['A2:L2', 'A3:L3'],
    freeze: 'B4',
    landscape: true,
    printArea: `A1:L${last}`,
    onePage: true,
    highlights: [
      {
        range: `F${roll.month}:J${roll.year + 3}`,
        formula: `AND(ISNUMBER(F${roll.month}),F${roll.month}<0)`,
        color: brick,
        bold: true,
      },
      {
        range: `B${roll.tasks}:E${last}`,
        formula: `AND(ISNUMBER(B${roll.tasks}),B${roll.tasks}<0)`,
        color: brick,
        bold: true,
      },
    ],
  }
}

function yearSheet(imprint: Edition): Sheet {
  const { first, last } = year
  const all = demoTotals()
  const cells: [string, Cell][] = [
    ['A1', text('Year view', title)],
    [
      'A2',
      text(
        'All locations, twelve months from the first month on the sheet Start here. Type over a tool cost in columns N to P if it was different.',
        subtitle,
      ),
    ],
    ['A3', demoBanner()],
    ...row(4, [
      ...heads(['Month', ...rollHeads.slice(1)], 'lrrrrrrrrrrr'),
      text('', {}),
      ...locationIndexes.map((location) =>
        calc(`"Tool cost, "&${locationName(location)}`, `Tool cost, Location ${location}`, { ...head, align: 'right' }),
      ),
    ]),
  ]
  for (let r = first; r <= last; r++) {
    const shown = r === first ? all : demoTotals(() => false)
    const period = (range: RangeOf) => inMonth(range, `$A${r}`)
    const sumOf = (column: string) => either((range) => `SUMIFS(${range(column)},${period(range)})`)
    const countOf = (column: string, value: string) =>
      either((range) => `COUNTIFS(${period(range)},${range(column)},"${value}")`)
    cells.push(
      ...row(r, [
        calc(`EDATE(DATE(YEAR(FirstMonth),MONTH(FirstMonth),1),${r - first})`, monthOf(imprint, r - first), {
          format: month,
          align: 'left',
          bold: true,
        }),
        calc(
          either((range) => `COUNTIFS(${period(range)})`),
          shown.entries,
        ),
        calc(sumOf('F'), shown.items, { format: minutes }),
        calc(`${sumOf('H')}/60`, shown.before / 60, { format: hours }),
        calc(`D${r}-F${r}`, shown.withAi / 60, { format: hours }),
        calc(`${sumOf('J')}/60`, shown.saved / 60, { format: hours, bold: true }),
        calc(`IF(D${r}=0,"",F${r}/D${r})`, shown.share, { format: percent }),
        calc(sumOf('K'), shown.money, { format: money }),
        calc(`SUM(N${r}:P${r})`, shown.toolCost, { format: money }),
        calc(`H${r}-I${r}`, shown.left, { format: money, bold: true }),
        calc(countOf('L', 'Big'), shown.big),
        calc(countOf('M', 'Yes'), shown.reached),
        text('', {}),
        ...locationIndexes.map((location): Cell => {
          const own = (range: RangeOf) => `COUNTIFS(${period(range)},${range('P')},${location})`
          return {
            formula: `IF(${either(own)}=0,0,INDEX(ToolCosts,${location}))`,
            value: r === first ? demoCosts.tool[location - 1] : 0,
            style: { ...input, format: money },
          }
        }),
      ]),
    )
  }
  const sum = (column: string, value: number, format = minutes) =>
    calc(`SUM(${column}${first}:${column}${last})`, value, { bold: true, fill: headTint, format })
  cells.push(
    ...row(last + 1, [
      text('Twelve months', { ...plain, bold: true, fill: headTint }),
      sum('B', all.entries),
      sum('C', all.items),
      sum('D', all.before / 60, hours),
      sum('E', all.withAi / 60, hours),
      sum('F', all.saved / 60, hours),
      calc(`IF(D${last + 1}=0,"",F${last + 1}/D${last + 1})`, all.share, {
        bold: true,
        fill: headTint,
        format: percent,
      }),
      sum('H', all.money, money),
      sum('I', all.toolCost, money),
      sum('J', all.left, money),
      sum('K', all.big),
      sum('L', all.reached),
    ]),
    [
      `A${last + 3}`,
      text('Lines of the time log without a baseline count as entries and items, but not as hours.', {
        ...subtitle,
        size: 9,
      }),
    ],
  )
  return {
    name: 'Year view',
    columns: [18, 10, 10, 12, 12, 12, 11, 14, 13, 16, 11, 13, 3, 13, 13, 13],
    cells: new Map(cells),
    heights: { 1: 30, 2: 18, 3: 18, 4: 34 },
    merges: ['A2:P2', 'A3:P3', `A${last + 3}:L${last + 3}`],
    freeze: 'B5',
    landscape: true,
    printArea: `A1:P${last + 3}`,
    onePage: true,
    validations: [
      { range: `N${first}:P${last}`, type: 'decimal', from: '0', error: 'Type an amount of money, 0 or more.' },
    ],
    highlights: [
      { range: `F${first}:J${last}`, formula: `AND(ISNUMBER(F${first}),F${first}<0)`, color: brick, bold: true },
      { range: `K${first}:L${last}`, formula: `K${first}>0`, color: brick, bold: true },
    ],
  }
}

/** The workbook. `edition` is its creation date and first month, so that the same text gives the same bytes. */
export function scorecard(imprint: { publication: string; edition: Date }): Workbook {
  return {
    title: 'AI Pilot Scorecard',
    creator: imprint.publication,
    created: imprint.edition,
    sheets: [
      startSheet(imprint),
      inventorySheet(),
      logSheet(imprint),
      reviewSheet(imprint),
      locationsSheet(imprint),
      yearSheet(imprint),
      demoSheet(imprint),
    ],
    names: {
      FirstMonth: `'Start here'!$B$${start.firstMonth}`,
      HourCosts: `'Start here'!$B$${start.firstLocation}:$B$${start.lastLocation}`,
      LocationNames: `'Start here'!$A$${start.firstLocation}:$A$${start.lastLocation}`,
      ShowDemo: `'Start here'!$B$${start.show}`,
      SmallestSaving: `'Start here'!$B$${start.saving}`,
      ToolCosts: `'Start here'!$C$${start.firstLocation}:$C$${start.lastLocation}`,
    },
  }
}

/** Sheets that are empty until the reader fills them in, so pictures of them show nothing. */
export const sheetsWithoutPicture = ['Task inventory', 'Time log']

export const buildScorecard = (imprint: { publication: string; edition: Date }): Uint8Array =>
  writeWorkbook(scorecard(imprint))
