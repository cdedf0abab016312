/**
 * The template "AI Pilot Scorecard": an Excel workbook of five sheets. Tinted cells are for typing, the rest calculates.
 * The two example rows stand outside every total. Every formula carries its result for previews that do not calculate.
 */
import { type Cell, columnName, excelDate, type Sheet, type Style, writeWorkbook } from './workbook.ts'

const pine = '1F4D3F'
const brick = '9A3324'
const amber = '80560A'
const muted = '5F584E'
const inputTint = 'FFF6DD'
const headTint = 'EDF2EE'

const plain: Style = { border: 'bottom', wrap: true }
const title: Style = { font: 'Georgia', size: 20, color: pine }
const subtitle: Style = { size: 10, color: muted, wrap: true, valign: 'top' }
const section: Style = { font: 'Georgia', size: 13, bold: true, color: pine }
const head: Style = { bold: true, size: 9, color: pine, fill: headTint, border: 'bottom', wrap: true }
const input: Style = { fill: inputTint, border: 'all', wrap: true }
const example: Style = { italic: true, color: muted, border: 'bottom', wrap: true }
const minutes = '#,##0;-#,##0;0'
const hours = '#,##0.0;-#,##0.0;0.0'
const money = '$#,##0.00;-$#,##0.00;$0.00'
const percent = '0%;-0%;0%'
const month = 'mmm yyyy'
const day = 'mmm d, yyyy'

const taskCount = 20
const logCount = 300
const inv = { first: 6, last: 5 + taskCount } // rows of 'Task inventory'; its example is row 5
const log = { first: 7, last: 6 + logCount } // rows of 'Time log'; its example is row 6
const inLog = (column: string) => `'Time log'!$${column}$${log.first}:$${column}$${log.last}`

const text = (value: string, style: Style = plain): Cell => ({ value, style })
const entry = (style: Style = {}, value?: string | number): Cell => ({ value, style: { ...input, ...style } })
const calc = (formula: string, value: string | number, style: Style = {}): Cell => ({
  formula,
  value,
  style: { ...plain, ...style },
})

const alignments: Record<string, Style> = {
  l: { align: 'left' },
  i: { align: 'left', indent: 1 },
  c: { align: 'center' },
  r: { align: 'right' },
}

/** Heads of columns, each aligned like its column: one letter each, l(eft), i(ndented), c(enter) or r(ight). */
const heads = (labels: string[], letters: string): Cell[] =>
  labels.map((label, index) => text(label, { ...head, ...alignments[letters[index] ?? 'l'] }))

const left: Style = { align: 'left', indent: 1 }
const center: Style = { align: 'center' }

/** Cells of one row, from column A on. */
function row(number: number, cells: Cell[]): [string, Cell][] {
  return cells.map((cell, index) => [`${columnName(index + 1)}${number}`, cell])
}

function startSheet(): Sheet {
  const settings: [string, Cell, string][] = [
    ['Location', entry(), 'Name or number of the location'],
    ['Pilot lead', entry(), 'Role is enough'],
    [
      'First month',
      entry({ format: month, align: 'left' }, excelDate(2025, 3, 1)),
      'Sample value. Type the first day of your first month, such as 4/1/2025.',
    ],
    [
      'Cost of one hour',
      entry({ format: money, align: 'left' }, 22),
      'Sample value. Wage plus payroll taxes and insurance of the people who do these tasks.',
    ],
    [
      'Tool cost per month',
      entry({ format: money, align: 'left' }, 30),
      'Sample value. All AI accounts of this location together.',
    ],
    [
      'Smallest saving worth keeping',
      entry({ format: percent, align: 'left' }, 0.25),
      'Share of the old minutes, checking and fixing included. Set it before you start.',
    ],
  ]
  const steps = [
    'Replace the sample values above. The other sheets use them.',
    'Task inventory: list what people read and write in a normal week. Time each task at least twice as it is done today; that number is the baseline.',
    'Pilot two or three tasks marked “Pilot first”. Test the prompts before they are used on shift.',
    'Time log: one line per use. Minutes with AI include writing the prompt, waiting, checking and fixing.',
    'Monthly review: choose the month, read it with the team, decide for each task: keep, fix or stop.',
    'Year view fills itself. Print it for the owner or your franchise consultant.',
  ]
  const words: [string, string][] = [
    ['Small mistake', 'Wording, order, length. Fixed in under a minute.'],
    ['Big mistake', 'Something wrong, invented or missing that matters; a promise; personal data.'],
    ['Reached a customer', 'A wrong result was sent, posted or said before anybody noticed.'],
    [
      'Money saved',
      'Minutes saved times the cost of an hour. It is real only if the time goes somewhere: fewer paid hours, or work that was left undone before. Write down where.',
    ],
  ]
  const rules = [
    'No names of customers or staff in this workbook. Use roles: closing lead, cashier.',
    'The log measures tasks and tools, not people. Do not use it to rank anyone.',
    'Keep customer and staff data out of AI tools unless a written agreement with the vendor covers it.',
    'Check your franchise agreement and local law before a pilot that customers can see.',
  ]

  const cells: [string, Cell][] = [
    ['A1', text('AI Pilot Scorecard', title)],
    [
      'A2',
      text(
        'For one location. Type in the tinted cells; everything else calculates. Rows marked EXAMPLE are not counted.',
        subtitle,
      ),
    ],
    ['A4', text('Your numbers', section)],
  ]
  const merges = ['A2:C2']
  const heights: Record<number, number> = { 1: 32, 2: 20 }
  let at = 5
  for (const [label, cell, hint] of settings) {
    cells.push(
      ...row(at, [
        text(label, { ...plain, bold: true }),
        cell,
        text(hint, { ...plain, ...left, color: muted, size: 9 }),
      ]),
    )
    heights[at++] = 26
  }
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
      { range: 'B7', type: 'date', from: '43831', error: 'Type a date, such as 4/1/2025.' },
      { range: 'B8:B9', type: 'decimal', from: '0', error: 'Type an amount of money, 0 or more.' },
      { range: 'B10', type: 'decimal', from: '0', to: '1', error: 'Type a share between 0% and 100%.' },
    ],
  }
}

function inventorySheet(): Sheet {
  const heights: Record<number, number> = { 1: 30, 2: 18, 4: 54, 5: 20 }
  const columns = [10, 34, 18, 9, 10, 10, 12, 12, 14, 11, 13, 8, 20, 13]
  const suggestion = (r: number) =>
    `IF(B${r}="","",IF(COUNTA(D${r}:E${r},G${r}:K${r})<7,"Fill in the row",IF(OR(I${r}="Yes",K${r}="No"),"Keep out of AI",IF(I${r}="Unsure","Find out first",IF(AND(J${r}="Yes",K${r}="Asked"),"Wait for franchisor",IF(L${r}>=5,"Pilot first",IF(L${r}>=3,"Pilot later","Leave as it is")))))))`
  const computed = (r: number, results: [number | string, number | string, string], style: Style = {}) => ({
    week: calc(`IF(OR(D${r}="",E${r}=""),"",D${r}*E${r})`, results[0], { ...center, format: minutes, ...style }),
    score: calc(`IF(OR(D${r}="",G${r}="",H${r}=""),"",IF(D${r}>=5,2,IF(D${r}>=1,1,0))+G${r}+H${r})`, results[1], {
      ...center,
      ...style,
    }),
    advice: calc(suggestion(r), results[2], { bold: true, ...style, ...left }),
  })

  const cells: [string, Cell][] = [
    ['A1', text('Task inventory', title)],
    [
      'A2',
      text(
        'Score: often (5 or more a week = 2, weekly = 1, less = 0) plus same shape (0 to 2) plus speed of a full check (0 to 2). Suggestions follow from the score and from columns I to K.',
        subtitle,
      ),
    ],
    ...row(
      4,
      heads(
        [
          'No.',
          'Task',
          'Done by (role)',
          'Times a week',
          'Minutes each, today',
          'Minutes a week',
          'Same shape each time? 0 no, 2 yes',
          'Full check: 0 slow, 2 one look',
          'Needs personal or confidential data?',
          'Will customers see it?',
          'Franchisor agrees?',
          'Score',
          'Suggestion',
          'Status',
        ],
        'lllcccccccccil',
      ),
    ),
  ]
  const centered = { ...example, ...center }
  const shown = computed(5, [252, 6, 'Pilot first'], centered)
  cells.push(
    ...row(5, [
      text('EXAMPLE', { ...example, bold: true }),
      ...['Shift handover note (example)', 'Closing lead'].map((value) => text(value, example)),
      { value: 14, style: centered },
      { value: 18, style: centered },
      shown.week,
      { value: 2, style: centered },
      { value: 2, style: centered },
      ...['No', 'No', 'Not needed'].map((value) => text(value, centered)),
      shown.score,
      shown.advice,
      text('Testing', example),
    ]),
  )
  for (let r = inv.first; r <= inv.last; r++) {
    const { week, score, advice } = computed(r, ['', '', ''])
    const e = () => entry()
    const c = () => entry(center)
    cells.push(
      ...row(r, [
        { value: r - inv.first + 1, style: { ...plain, color: muted, align: 'left' } },
        e(),
        e(),
        c(),
        c(),
        week,
        c(),
        c(),
        c(),
        c(),
        c(),
        score,
        advice,
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
    merges: ['A2:N2'],
    freeze: 'C5',
    landscape: true,
    repeatRows: '4:4',
    printArea: `A1:N${inv.last}`,
    onePage: true,
    validations: [
      { range: range('D', 'E'), type: 'decimal', from: '0', error: 'Type a number, 0 or more.' },
      {
        range: range('G'),
        type: 'list',
        from: '"0,1,2"',
        error: 'Choose 0, 1 or 2.',
        hint: '0 = different each time, 1 = mostly the same, 2 = the same',
      },
      {
        range: range('H'),
        type: 'list',
        from: '"0,1,2"',
        error: 'Choose 0, 1 or 2.',
        hint: '0 = checking takes as long as doing it, 1 = a few minutes, 2 = one look',
      },
      {
        range: range('I'),
        type: 'list',
        from: '"Yes,No,Unsure"',
        error: 'Choose Yes, No or Unsure.',
        hint: 'Names, contacts, orders, pay, schedules, health; manuals and recipes of the franchisor',
      },
      { range: range('J'), type: 'list', from: '"Yes,No"', error: 'Choose Yes or No.' },
      {
        range: range('K'),
        type: 'list',
        from: '"Yes,Asked,No,Not needed"',
        error: 'Choose one of the list.',
        hint: 'Not needed = your agreement and brand standards leave it to you, and you have checked',
      },
      {
        range: range('N'),
        type: 'list',
        from: '"Not started,Testing,In use,Stopped"',
        error: 'Choose one of the list.',
      },
    ],
    highlights: [
      { range: range('M'), formula: `M${inv.first}="Pilot first"`, color: pine, bold: true },
      { range: range('M'), formula: `M${inv.first}="Keep out of AI"`, color: brick, bold: true },
      {
        range: range('M'),
        formula: `OR(M${inv.first}="Find out first",M${inv.first}="Wait for franchisor",M${inv.first}="Fill in the row")`,
        color: amber,
        bold: true,
      },
    ],
  }
}

function logSheet(): Sheet {
  const columns = [10, 13, 34, 16, 8, 11, 11, 11, 11, 11, 11, 12, 14, 32]
  const lookUp = (r: number) =>
    `INDEX('Task inventory'!$E$5:$E$${inv.last},MATCH(C${r},'Task inventory'!$B$5:$B$${inv.last},0))`
  const computed = (r: number, results: (number | string)[], style: Style = {}) => ({
    each: calc(`IF(C${r}="","",IFERROR(IF(${lookUp(r)}=0,"none",${lookUp(r)}),"none"))`, results[0] ?? '', {
      format: minutes,
      align: 'right',
      ...style,
    }),
    before: calc(`IF(OR(E${r}="",H${r}="",NOT(ISNUMBER(F${r}))),"",E${r}*F${r})`, results[1] ?? '', {
      format: minutes,
      ...style,
    }),
    saved: calc(`IF(G${r}="","",G${r}-H${r})`, results[2] ?? '', { format: minutes, bold: true, ...style }),
    money: calc(`IF(I${r}="","",I${r}/60*CostPerHour)`, results[3] ?? '', { format: money, ...style }),
  })
  const total = (column: string, format: string) =>
    calc(`SUM(${column}${log.first}:${column}${log.last})`, 0, { bold: true, format, fill: headTint })
  const blank = { style: { ...plain, fill: headTint } }
  const cells: [string, Cell][] = [
    ['A1', text('Time log', title)],
    [
      'A2',
      text(
        'One line per use. Minutes with AI: from opening the tool to a checked and corrected result. “none” in column F means that the task has no baseline yet.',
        subtitle,
      ),
    ],
    ...row(4, [
      text('All entries', { ...plain, bold: true, fill: headTint }),
      blank,
      blank,
      blank,
      calc(`SUM(E${log.first}:E${log.last})`, 0, { ...center, bold: true, format: minutes, fill: headTint }),
      blank,
      total('G', minutes),
      // Only lines with a baseline: the three figures then always agree.
      calc('G4-I4', 0, { bold: true, format: minutes, fill: headTint }),
      total('I', minutes),
      total('J', money),
      calc(`COUNTIF(K${log.first}:K${log.last},"Big")`, 0, { bold: true, format: '0" big"', fill: headTint, ...left }),
      calc(`COUNTIF(L${log.first}:L${log.last},"Yes")`, 0, {
        bold: true,
        format: '0" reached"',
        fill: headTint,
        ...left,
      }),
      blank,
      blank,
    ]),
    ...row(
      5,
      heads(
        [
          'Entry',
          'Date',
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
        ],
        'llllcrrrrriiii',
      ),
    ),
  ]
  const shown = computed(6, [18, 36, 19, (19 / 60) * 22], example)
  cells.push(
    ...row(6, [
      text('EXAMPLE', { ...example, bold: true }),
      { value: excelDate(2025, 3, 6), style: { ...example, format: day, align: 'left' } },
      text('Shift handover note (example)', example),
      text('Closing lead', example),
      { value: 2, style: { ...example, ...center } },
      shown.each,
      shown.before,
      { value: 17, style: example },
      shown.saved,
      shown.money,
      ...['Small', 'No', 'Shift lead', 'Order of points changed'].map((value) => text(value, { ...example, ...left })),
    ]),
  )
  for (let r = log.first; r <= log.last; r++) {
    const { each, before, saved, money: value } = computed(r, [])
    const e = () => entry()
    cells.push(
      ...row(r, [
        { value: r - log.first + 1, style: { ...plain, color: muted, align: 'left' } },
        entry({ format: day, align: 'left' }),
        e(),
        e(),
        entry(center),
        each,
        before,
        e(),
        saved,
        value,
        entry(left),
        entry(left),
        entry(left),
        entry(left),
      ]),
    )
  }
  const range = (column: string) => `${column}${log.first}:${column}${log.last}`
  return {
    name: 'Time log',
    tab: 'E0A030',
    columns,
    cells: new Map(cells),
    heights: { 1: 30, 2: 18, 5: 40, 6: 20 },
    merges: ['A2:N2'],
    freeze: 'D6',
    landscape: true,
    repeatRows: '5:5',
    printArea: `A1:N${log.last}`,
    validations: [
      { range: range('B'), type: 'date', from: '43831', error: 'Type a date, such as 3/6/2025.' },
      {
        range: range('C'),
        type: 'list',
        from: `'Task inventory'!$B$${inv.first}:$B$${inv.last}`,
        error: 'Choose a task from the Task inventory sheet; add it there first.',
      },
      { range: range('E'), type: 'whole', from: '1', error: 'Type a whole number, 1 or more.' },
      {
        range: range('H'),
        type: 'decimal',
        from: '0',
        error: 'Type minutes, 0 or more.',
        hint: 'All items of this line together, checking and fixing included',
      },
      { range: range('K'), type: 'list', from: '"None,Small,Big"', error: 'Choose None, Small or Big.' },
      { range: range('L'), type: 'list', from: '"No,Yes"', error: 'Choose No or Yes.' },
    ],
    highlights: [
      { range: range('K'), formula: `K${log.first}="Big"`, color: brick, bold: true },
      { range: range('L'), formula: `L${log.first}="Yes"`, color: brick, bold: true },
      { range: range('I'), formula: `AND(ISNUMBER(I${log.first}),I${log.first}<0)`, color: brick, bold: true },
    ],
  }
}

/** Criteria of SUMIFS and COUNTIFS for the month that starts in the given cell. */
const inMonth = (cell: string) => `${inLog('B')},">="&${cell},${inLog('B')},"<"&EDATE(${cell},1)`

function reviewSheet(): Sheet {
  const period = inMonth('$B$4')
  const taskFirst = 16
  const taskLast = taskFirst + taskCount - 1
  const heights: Record<number, number> = { 1: 30, 2: 18, 15: 40 }
  const merges = ['A2:K2']
  const figures: [string, string, string | number, string, string, string, number, string][] = [
    [
      'Minutes before',
      `SUMIFS(${inLog('G')},${period})`,
      0,
      minutes,
      'Money saved',
      `SUMIFS(${inLog('J')},${period})`,
      0,
      money,
    ],
    ['Minutes with AI', 'B6-B8', 0, minutes, 'Tool cost', `IF(COUNTIFS(${period})=0,0,ToolCost)`, 0, money],
    ['Minutes saved', `SUMIFS(${inLog('I')},${period})`, 0, minutes, 'Left after tool cost', 'G6-G7', 0, money],
    ['Hours saved', 'B8/60', 0, hours, 'Big mistakes', `COUNTIFS(${period},${inLog('K')},"Big")`, 0, '0'],
    [
      'Share of old minutes saved',
      'IF(B6=0,"",B8/B6)',
      '',
      percent,
      'Reached a customer',
      `COUNTIFS(${period},${inLog('L')},"Yes")`,
      0,
      '0',
    ],
  ]
  const cells: [string, Cell][] = [
    ['A1', text('Monthly review', title)],
    [
      'A2',
      text(
        'Choose the month in the tinted cell. The suggestion applies your smallest worthwhile saving; the decision is yours.',
        subtitle,
      ),
    ],
    ['A4', text('Month', { ...plain, bold: true })],
    ['B4', { value: excelDate(2025, 3, 1), style: { ...input, format: month, align: 'left', bold: true } }],
  ]
  figures.forEach(([label, formula, value, format, label2, formula2, value2, format2], index) => {
    const r = 6 + index
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
  for (let r = taskFirst; r <= taskLast; r++) {
    const task = `'Task inventory'!$B$${inv.first + r - taskFirst}`
    const own = `${period},${inLog('C')},$A${r}`
    const unlessEmpty = (formula: string, style: Style = {}) => calc(`IF($A${r}="","",${formula})`, '', style)
    cells.push(
      ...row(r, [
        calc(`IF(${task}="","",${task})`, ''),
        unlessEmpty(`SUMIFS(${inLog('E')},${own})`, { ...center, format: minutes }),
        unlessEmpty(`SUMIFS(${inLog('G')},${own})`, { format: minutes }),
        unlessEmpty(`C${r}-E${r}`, { format: minutes }),
        unlessEmpty(`SUMIFS(${inLog('I')},${own})`, { format: minutes }),
        unlessEmpty(`IF(C${r}=0,"",E${r}/C${r})`, { format: percent }),
        unlessEmpty(`COUNTIFS(${own},${inLog('K')},"Big")`, center),
        unlessEmpty(`COUNTIFS(${own},${inLog('L')},"Yes")`, center),
        unlessEmpty(
          `IF(B${r}=0,"No entries",IF(C${r}=0,"No baseline",IF(OR(H${r}>0,E${r}<0),"Stop",IF(OR(G${r}>0,F${r}<SmallestSaving),"Fix","Keep"))))`,
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
    'Each big mistake: how did it get past the prompt, and who caught it?',
    'What do the people who use it want to drop or change?',
    'Did any tool change its price or its data terms? Who has access, and who left?',
    'Has the franchisor or the law changed what we may do?',
  ]
  let at = taskLast + 2
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

  const decisions = `I${taskFirst}:J${taskLast}`
  return {
    name: 'Monthly review',
    tab: 'E0A030',
    columns: [36, 12, 11, 11, 11, 10, 11, 12, 13, 12, 44],
    cells: new Map(cells),
    heights,
    merges,
    freeze: 'A5',
    landscape: true,
    printArea: `A1:K${at}`,
    onePage: true,
    validations: [
      {
        range: 'B4',
        type: 'list',
        from: "'Year view'!$A$5:$A$16",
        error: 'Choose a month from the list.',
        hint: 'Choose a month. The list starts with the first month on the sheet Start here.',
      },
      {
        range: `J${taskFirst}:J${taskLast}`,
        type: 'list',
        from: '"Keep,Fix,Stop"',
        error: 'Choose Keep, Fix or Stop.',
      },
    ],
    highlights: [
      { range: decisions, formula: `I${taskFirst}="Keep"`, color: pine, bold: true },
      { range: decisions, formula: `I${taskFirst}="Fix"`, color: amber, bold: true },
      { range: decisions, formula: `I${taskFirst}="Stop"`, color: brick, bold: true },
    ],
  }
}

function yearSheet(): Sheet {
  const first = 5
  const last = 16
  const cells: [string, Cell][] = [
    ['A1', text('Year view', title)],
    [
      'A2',
      text(
        'Twelve months from the first month on the sheet Start here. Type over the tool cost of a month if it was different.',
        subtitle,
      ),
    ],
    ...row(
      4,
      heads(
        [
          'Month',
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
        ],
        'lrrrrrrrrrrr',
      ),
    ),
  ]
  for (let r = first; r <= last; r++) {
    const period = inMonth(`$A${r}`)
    const monthDate = excelDate(2025, 3 + r - first, 1)
    cells.push(
      ...row(r, [
        calc(`EDATE(DATE(YEAR(FirstMonth),MONTH(FirstMonth),1),${r - first})`, monthDate, {
          format: month,
          align: 'left',
          bold: true,
        }),
        calc(`COUNTIFS(${period})`, 0),
        calc(`SUMIFS(${inLog('E')},${period})`, 0, { format: minutes }),
        calc(`SUMIFS(${inLog('G')},${period})/60`, 0, { format: hours }),
        calc(`D${r}-F${r}`, 0, { format: hours }),
        calc(`SUMIFS(${inLog('I')},${period})/60`, 0, { format: hours, bold: true }),
        calc(`IF(D${r}=0,"",F${r}/D${r})`, '', { format: percent }),
        calc(`SUMIFS(${inLog('J')},${period})`, 0, { format: money }),
        { formula: `IF(B${r}=0,0,ToolCost)`, value: 0, style: { ...input, format: money } },
        calc(`H${r}-I${r}`, 0, { format: money, bold: true }),
        calc(`COUNTIFS(${period},${inLog('K')},"Big")`, 0),
        calc(`COUNTIFS(${period},${inLog('L')},"Yes")`, 0),
      ]),
    )
  }
  const sum = (column: string, format = minutes) =>
    calc(`SUM(${column}${first}:${column}${last})`, 0, { bold: true, fill: headTint, format })
  cells.push(
    ...row(last + 1, [
      text('Twelve months', { ...plain, bold: true, fill: headTint }),
      sum('B'),
      sum('C'),
      sum('D', hours),
      sum('E', hours),
      sum('F', hours),
      calc(`IF(D${last + 1}=0,"",F${last + 1}/D${last + 1})`, '', { bold: true, fill: headTint, format: percent }),
      sum('H', money),
      sum('I', money),
      sum('J', money),
      sum('K'),
      sum('L'),
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
    columns: [18, 10, 10, 12, 12, 12, 11, 14, 13, 16, 11, 13],
    cells: new Map(cells),
    heights: { 1: 30, 2: 18, 4: 34 },
    merges: ['A2:L2', `A${last + 3}:L${last + 3}`],
    freeze: 'B5',
    landscape: true,
    printArea: `A1:L${last + 3}`,
    onePage: true,
    validations: [
      { range: `I${first}:I${last}`, type: 'decimal', from: '0', error: 'Type an amount of money, 0 or more.' },
    ],
    highlights: [
      { range: `F${first}:J${last}`, formula: `AND(ISNUMBER(F${first}),F${first}<0)`, color: brick, bold: true },
      { range: `K${first}:L${last}`, formula: `K${first}>0`, color: brick, bold: true },
    ],
  }
}

/** Builds the Excel file. `edition` is its creation date, so that the same text gives the same bytes. */
export async function buildScorecard(imprint: { publication: string; edition: Date }): Promise<Uint8Array> {
  return writeWorkbook({
    title: 'AI Pilot Scorecard',
    creator: imprint.publication,
    created: imprint.edition,
    sheets: [startSheet(), inventorySheet(), logSheet(), reviewSheet(), yearSheet()],
    names: {
      CostPerHour: "'Start here'!$B$8",
      FirstMonth: "'Start here'!$B$7",
      SmallestSaving: "'Start here'!$B$10",
      ToolCost: "'Start here'!$B$9",
    },
  })
}
