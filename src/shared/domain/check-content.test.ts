import { expect, test } from 'vitest'
import { checkDay, checkGuide, checkIssue, checkPack, checkPrompt, checkTool } from './check-content.ts'

const section = (given: object = {}) => ({
  partOfLead: false,
  kind: null,
  heading: 'Count the till twice',
  summary: 'Two counts.',
  body: 'Count it once before the rush.',
  examples: {},
  ...given,
})
const issue = (...sections: ReturnType<typeof section>[]) => ({
  title: 'Till counts',
  preview: 'Two counts a day.',
  worth: '2 nights × 3 minutes = 6 minutes',
  intro: 'Most differences are slips.',
  sections,
  closing: '',
  question: '',
  pollQuestion: '',
  pollAnswers: [],
  editorNote: '',
})
const step = (given: object = {}) => section({ partOfLead: true, ...given })
const found = (...sections: ReturnType<typeof section>[]) =>
  checkIssue(issue(...sections)).map(({ path, line, message }) => [path.join('.'), line, message])

test('a lead is whole, or there is none', () => {
  expect(found(section(), section())).toEqual([])
  expect(found(section(), step(), step(), section())).toEqual([])
  expect(found(step(), section())).toEqual([
    ['sections.0.partOfLead', 1, expect.stringMatching(/^A numbered step needs a second one/)],
  ])
  expect(found(step(), section(), step(), step())).toEqual([
    ['sections.2.partOfLead', 1, expect.stringMatching(/^The numbered steps aren’t next to each other/)],
  ])
  expect(found(step(), step({ kind: 'rule' }))).toEqual([
    ['sections.1.kind', 1, 'A numbered step has no label, so its kind isn’t shown. Leave it empty'],
  ])
})

test.each([
  'Do the first one.',
  'As in the last section, count.',
  'The next section has the prompt.',
  'Use the prompt below.',
  'As described above, wait.',
  'See the earlier step.',
  'More on this later in this drop.',
])('text that depends on the order is a problem: %s', (body) => {
  expect(found(section({ body: `Fine.\n\n${body}` }))).toEqual([
    ['sections.0.body', 3, expect.stringContaining('can mislead')],
  ])
})

test.each([
  'Below 20% you lose money, and above $5 you don’t.',
  'The first shift starts an hour earlier than the last hire.',
  '> Reply to the review below in the first section.',
  'Link to [the count](#the-first-section) and `the next section`.',
  'Do the first week by hand.',
])('text that doesn’t depend on the order is none: %s', (body) => {
  expect(found(section({ body }))).toEqual([])
})

test('sums, leftovers and unknown variables are found in every text of a section', () => {
  expect(
    found(
      section({
        heading: 'TODO',
        body: 'Text.\n\n> [!PROMPT]\n> For [store_name] in [town].\n\n2 × 3 = 7',
        examples: { food: 'Lorem ipsum' },
      }),
    ),
  ).toEqual([
    ['sections.0.heading', 1, 'Replace “TODO”'],
    ['sections.0.body', 6, '“2 × 3 = 7” is wrong: the result is 6'],
    ['sections.0.body', 4, expect.stringContaining('“[town]” isn’t a blank')],
    ['sections.0.examples.food', 1, 'Replace “Lorem ipsum”'],
  ])
})

test('the texts of the list are checked too', () => {
  const problems = checkIssue({
    ...issue(section({ summary: '2 × 3 = 7' })),
    title: 'TODO',
    preview: 'Do the last section.',
    question: 'Is 2 × 2 = 5?',
  })
  expect(problems.map(({ path }) => path.join('.'))).toEqual(['title', 'preview', 'sections.0.summary', 'question'])
})

test('only texts to copy have blanks: a quotation and a callout keep their brackets', () => {
  expect(found(section({ body: '> It [sic] works.\n\n> [!TIP]\n> Or [this].' }))).toEqual([])
  expect(found(section({ body: '> [!TIP]\n> Say:\n>\n> > [!COPY]\n> > Hi [you]' }))).toEqual([
    ['sections.0.body', 5, expect.stringContaining('“[you]”')],
  ])
})

test('a blank is known and on one line, wherever its quotation breaks', () => {
  expect(found(section({ body: 'Copy:\n\n> [!COPY]\n> For\nthe [shop\n> name].\n\nNot [this].' }))).toEqual([
    ['sections.0.body', 5, expect.stringContaining('isn’t a blank')],
  ])
  expect(found(section({ body: '> [!PROMPT]\n> Use [notes: what\n> happened].\n- [ ] Done' }))).toEqual([
    ['sections.0.body', 2, 'A blank goes over two lines. Write it in one line'],
  ])
})

test('leftovers are found in packs, guides and tools', () => {
  const paths = (problems: { path: (string | number)[] }[]) => problems.map(({ path }) => path.join('.'))
  const leftover = { ...prompt, title: 'TODO', checks: ['TBD', '2 × 2 = 5'] }
  expect(paths(checkPack({ title: 'TODO', summary: 'Lorem ipsum', prompts: [leftover] }))).toEqual([
    'title',
    'summary',
    'prompts.0.checks.0',
    'prompts.0.checks.1',
    'prompts.0.title',
  ])
  expect(paths(checkGuide([], { title: 'Policy', description: 'TODO', inside: ['A', 'TBD'] }))).toEqual([
    'description',
    'inside.1',
  ])
  const tool = { name: 'N', verdict: 'TODO', description: '', useCase: '', priceNote: '', skipIf: '' }
  expect(paths(checkTool([], { ...tool, goodFor: ['TBD'], watchOut: [], criteria: { export: 'TODO' } }))).toEqual([
    'verdict',
    'goodFor.0',
    'criteria.export',
  ])
})

const prompt = {
  title: 'Handover',
  dataLabel: 'none',
  checks: ['Count.'],
  body: 'For [store_name].',
  when: 'At closing.',
  example: null,
}

test('a prompt needs a label, a check and known variables', () => {
  expect(checkPrompt([], prompt)).toEqual([])
  expect(
    checkPrompt(['prompts', 2], { ...prompt, dataLabel: null, checks: [], body: 'Dear team\nof [our place]' }),
  ).toEqual([
    { path: ['prompts', 2, 'dataLabel'], line: 1, message: expect.stringContaining('what data'), isRequired: true },
    { path: ['prompts', 2, 'checks'], line: 1, message: expect.stringContaining('what to check'), isRequired: true },
    { path: ['prompts', 2, 'body'], line: 2, message: expect.stringContaining('[details: our place]') },
  ])
})

test('the corrected example adds up; its answer has a mistake', () => {
  const example = { input: '', answer: '2 × 3 = 7', mistake: 'It says 7.', corrected: '2 × 3 = 8' }
  expect(checkPrompt([], { ...prompt, example })).toEqual([
    { path: ['example', 'corrected'], line: 1, message: '“2 × 3 = 8” is wrong: the result is 6' },
  ])
})

test('a day is not in the future', () => {
  expect(checkDay(['date'], '2026-11-22', '2026-11-22')).toEqual([])
  expect(checkDay(['date'], null, '2026-11-22')).toEqual([])
  expect(checkDay(['date'], '2026-11-23', '2026-11-22')).toHaveLength(1)
})
