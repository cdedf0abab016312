import { expect, test } from 'vitest'
import { draftSchemas, emptyDraft, emptyPrompt, emptySection } from './documents.ts'
import { errorsIn, problemsOf, warningsIn } from './publishable.ts'

test('drafts of the previous version open with defaults', () => {
  const section = {
    id: 'a',
    heading: 'H',
    summary: 'S',
    focusAreas: [],
    aiLevel: null,
    goals: [],
    franchiseTypes: [],
    minutes: 5,
    body: 'B',
  }
  const issue = { slug: 's', title: 'T', date: '', preview: '', tags: [], intro: '', sections: [section], closing: '' }
  expect(draftSchemas.issue.parse(issue)).toMatchObject({
    worth: '',
    question: '',
    pollQuestion: '',
    pollAnswers: [],
    editorNote: '',
    checkedOn: '',
    sections: [{ partOfLead: false, kind: null, examples: {} }],
  })
  const pack = { title: 'T', summary: '', prompts: [{ id: 'p', title: 'P', when: '', level: null, body: 'B' }] }
  expect(draftSchemas['prompt-pack'].parse(pack).prompts).toEqual([{ ...emptyPrompt('p'), title: 'P', body: 'B' }])
  const tool = {
    name: 'N',
    category: '',
    rating: 4.5,
    verdict: '',
    description: '',
    useCase: '',
    goodFor: [],
    watchOut: [],
    url: '',
    testedOn: '',
  }
  expect(draftSchemas.tool.parse(tool)).toMatchObject({ criteria: {}, priceNote: '', skipIf: '', checkedOn: '' })
  const guide = { type: 'Template', title: 'T', description: '', format: '', extent: '', inside: [], fileVersion: null }
  expect(draftSchemas.guide.parse(guide)).toMatchObject({ checkedOn: '' })
})

test('a day in the year 0, which the database can’t store, is a problem', () => {
  for (const kind of ['issue', 'prompt-pack', 'guide', 'tool'] as const) {
    const problems = problemsOf(kind, { ...emptyDraft(kind, 'T'), date: '0000-02-03', checkedOn: '0000-02-03' })
    expect(problems).toContainEqual({ path: 'checkedOn', message: 'The date has no valid year' })
    expect(problems.some(({ path }) => path === 'date')).toBe(kind === 'issue')
  }
})

test('problems of texts are listed at their field, with the line, as warnings', () => {
  const section = {
    ...emptySection('a'),
    heading: 'Count',
    summary: 'Twice.',
    focusAreas: ['Finance' as const],
    aiLevel: 'beginner' as const,
    minutes: 5,
  }
  const draft = {
    ...emptyDraft('issue', 'Till counts'),
    date: '2026-11-17',
    preview: 'Short.',
    tags: ['Finance'],
    intro: 'Most are slips.',
    sections: [
      { ...section, partOfLead: true, body: 'Count it.\n\nSee the next section.' },
      { ...section, id: 'b', body: '2 × 2 = 5' },
    ],
  }
  expect(problemsOf('issue', draft)).toEqual([
    { path: 'sections.0.partOfLead', message: expect.stringContaining('needs a second one'), severity: 'warning' },
    {
      path: 'sections.0.body',
      message: expect.stringMatching(/^Line 3: .*“the next section” can mislead/),
      severity: 'warning',
    },
    { path: 'sections.1.body', message: '“2 × 2 = 5” is wrong: the result is 4', severity: 'warning' },
  ])
  const examples = { food: ' ', salon: '![Till](https://elsewhere.example/till.png)' }
  const withExamples = { ...draft, sections: [{ ...section, body: 'Count it.', examples }] }
  expect(problemsOf('issue', withExamples)).toEqual([
    { path: 'sections.0.examples.food', message: 'The example is missing' },
    { path: 'sections.0.examples.salon', message: expect.stringContaining('isn’t one of your uploads') },
  ])
  const pack = {
    ...emptyDraft('prompt-pack', 'Service'),
    summary: 'For the counter.',
    prompts: [{ ...emptyPrompt('p'), title: 'P', when: 'Now', level: 'beginner' as const, body: 'For [our shop].' }],
  }
  const problems = problemsOf('prompt-pack', pack)
  expect(errorsIn(problems).map(({ path }) => path)).toEqual(['prompts.0.dataLabel', 'prompts.0.checks'])
  expect(warningsIn(problems).map(({ path }) => path)).toEqual(['prompts.0.body'])
})

test('a poll that readers can’t vote in is an error, not advice', () => {
  const draft = { ...emptyDraft('issue', 'Sundays'), date: '2026-11-17', intro: 'We open at nine.' }
  const errors = (pollQuestion: string, pollAnswers: string[]) =>
    errorsIn(problemsOf('issue', { ...draft, pollQuestion, pollAnswers })).map(({ path, message }) => [path, message])
  expect(errors('Do you bake on Sundays?', ['Yes', 'yes'])).toEqual([
    ['pollAnswers', 'Two answers of the poll are the same'],
  ])
  expect(errors('Do you bake on Sundays?', [])).toEqual([['pollAnswers', 'Give the poll 2 to 5 answers']])
  expect(errors('', ['Yes', 'No'])).toEqual([['pollQuestion', expect.stringContaining('Enter the question')]])
  expect(errors('Do you bake on Sundays?', ['Yes', 'No'])).toEqual([])
})
