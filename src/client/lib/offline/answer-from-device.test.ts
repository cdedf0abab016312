import { expect, test } from 'vitest'
import type { TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { answerKey } from '#shared/domain/offline-library.ts'
import { answerFromDevice } from './answer-from-device.ts'
import { readStoredAnswers } from './stored-answers.ts'

const section = { kind: 'section', id: 'a--b' } as const
const prompt = { kind: 'prompt', id: 'reply' } as const
const [hiring, ads] = ['0190b0a0-0000-7000-8000-000000000001', '0190b0a0-0000-7000-8000-000000000002']
const at = '2026-11-22T16:00:00Z'
const earlier = '2026-11-20T10:00:00Z'

const change = (name: string, input: object) => ({
  userId: 'reader',
  name,
  input: { at, ...input },
  label: null,
  key: null,
})
const mark = (name: string, input: object) => change(name, { ...section, ...input })

const listed = { ...section, title: 'Sort by hand', path: '/portal/weekly-drops/a#b', parentTitle: 'Reviews' }
const assignment = {
  assignmentId: 'one',
  ...prompt,
  title: 'Answer a review',
  path: '/portal/prompt-packs#reply',
  parentTitle: '',
  to: 'person',
  toId: 'reader',
  toName: 'mia@example.com',
  hasLeft: false,
  dueOn: '2026-11-30',
  note: 'Before Friday',
  text: '',
  changedFacts: [] as TeamAssignments['assignments'][number]['changedFacts'],
  createdBy: 'owner@example.com',
  createdAt: earlier,
  editedAt: null,
  done: false,
  doneBy: '',
  checkedAt: null,
  isMine: true,
  canCheckOff: true,
  canEdit: true,
} as const
const team: TeamAssignments = {
  isOwner: true,
  timeZone: null,
  people: [
    { userId: 'reader', email: 'mia@example.com', isYou: true, locationIds: [] },
    { userId: 'zoe', email: 'zoe@example.com', isYou: false, locationIds: ['oak'] },
  ],
  locations: [{ id: 'oak', name: 'Oak Avenue' }],
  assignments: [assignment],
  collection: [],
}

const promptText = {
  ...prompt,
  title: 'Answer a review',
  when: 'A customer left a bad review',
  body: 'Write a reply to &lt;this&gt; review: [review].',
  level: 'Beginner',
  focusAreas: ['Customer Service'],
}
const drop = {
  id: 'a',
  slug: 'a',
  title: 'A week of reviews',
  date: '2026-11-17',
  tags: ['Marketing'],
  introHtml: '<p>Sort the <strong class="reply">complaints</strong> &amp; praise.</p>',
  worthHtml: '',
  sections: [
    {
      id: 'a--b',
      heading: 'Sort by hand',
      summary: 'Before you reply',
      html: '<p>Café owners replied first.</p>',
      aiLevel: 'Beginner',
      focusAreas: ['Marketing'],
    },
  ],
}

const answers: [string, object, unknown][] = [
  ['weekly-drop', { slug: 'a' }, { issue: drop }],
  [
    'item-marks',
    { scope: { kind: 'prompts' } },
    { items: [{ ...prompt, assigned: 1 }], rules: {}, continueReading: null, firstWeek: null },
  ],
  ['prompt-packs', {}, { categories: [{ title: 'Service', prompts: [promptText] }] }],
  ['saved-items', {}, { items: [{ ...listed, savedAt: earlier }], nextCursor: null }],
  ['saved-items', { collectionId: hiring }, { items: [{ ...listed, savedAt: earlier }], nextCursor: null }],
  ['collections', {}, { collections: [{ id: hiring, name: 'Hiring', count: 1, at: earlier }] }],
  ['team-assignments', {}, { team }],
]
const stored = readStoredAnswers(new Map(answers.map(([name, input, output]) => [answerKey(name, input), { output }])))
const answer = (name: string, input: object, changes: ReturnType<typeof change>[]) =>
  answerFromDevice(name, input, stored, changes)
const prompts = { scope: { kind: 'prompts' } }

test('what was saved and tried offline shows after a reload, in the order in which it was done', () => {
  const changes = [
    mark('save-item', { saved: true }),
    mark('record-try', { outcome: 'worked' }),
    change('mark-read', { items: [section] }),
  ]
  expect(answer('item-marks', prompts, changes)).toMatchObject({
    items: [
      { ...prompt, assigned: 1 },
      { ...section, saved: true, savedAt: at, readAt: at, tried: 'worked' },
    ],
  })
  const undone = [...changes, mark('save-item', { saved: false }), mark('remove-try', {})]
  expect(answer('item-marks', prompts, undone)).toMatchObject({ items: [prompt, { saved: false, tried: null }] })
})

test('other answers stay as they are, and what isn’t stored stays unknown', () => {
  expect(answer('prompt-packs', {}, [mark('save-item', { saved: true })])).toBe(stored.find('prompt-packs', {}))
  expect(answer('search', { query: 'ads' }, []), 'searching needs the server').toBeUndefined()
  expect(answer('toString', {}, [])).toBeUndefined()
  const nothing = readStoredAnswers(new Map())
  for (const name of ['item-marks', 'collections', 'saved-items', 'item-collections', 'team-assignments']) {
    expect(answerFromDevice(name, { ...section, scope: prompts.scope }, nothing, []), name).toBeUndefined()
  }
})

test('an item saved offline is first in the list, with its title, and a removed one is gone', () => {
  const saved = [change('save-item', { ...prompt, saved: true })]
  expect(answer('saved-items', { collectionId: null, kind: null, cursor: null }, saved)).toEqual({
    items: [
      { ...prompt, title: 'Answer a review', path: '/portal/prompt-packs#reply', parentTitle: null, savedAt: at },
      { ...listed, savedAt: earlier },
    ],
    nextCursor: null,
  })
  expect(answer('saved-items', { kind: 'prompt' }, saved)).toMatchObject({ items: [prompt] })
  expect(answer('saved-items', {}, [mark('save-item', { saved: false })])).toMatchObject({ items: [] })
  expect(answer('saved-items', { cursor: 'next' }, saved)).toBeUndefined()
})

test('a collection that was made, renamed and filled offline shows with its items', () => {
  const changes = [
    change('save-collection', { id: ads, name: 'hiring' }),
    change('collect-item', { ...prompt, collectionId: ads, member: true }),
    change('collect-item', { ...section, collectionId: hiring, member: false }),
  ]
  expect(answer('collections', {}, changes)).toEqual({
    collections: [
      { id: hiring, name: 'Hiring', count: 0, at: '2026-11-20T10:00:00.000Z' },
      { id: ads, name: 'hiring 2', count: 1, at: '2026-11-22T16:00:00.000Z' },
    ],
  })
  expect(answer('saved-items', { collectionId: ads }, changes)).toMatchObject({ items: [prompt] })
  expect(answer('saved-items', { collectionId: hiring }, changes)).toEqual({ items: [], nextCursor: null })
  expect(answer('saved-items', {}, changes)).toMatchObject({ items: [prompt, section] })
  expect(answer('item-collections', prompt, changes)).toEqual({
    collections: [
      { id: hiring, name: 'Hiring', member: false, changedAt: null },
      { id: ads, name: 'hiring 2', member: true, changedAt: at },
    ],
  })
  expect(answer('item-marks', prompts, changes)).toMatchObject({ items: [{ ...prompt, saved: true }] })
  const renamed = [change('save-collection', { id: hiring, name: 'Ads' })]
  expect(answer('collections', {}, renamed)).toMatchObject({ collections: [{ id: hiring, name: 'Ads', count: 1 }] })
  const unsaved = [mark('save-item', { saved: false })]
  expect(answer('saved-items', { collectionId: hiring }, unsaved)).toMatchObject({ items: [] })
  expect(answer('item-collections', section, unsaved)).toMatchObject({ collections: [{ member: true }] })
})

test('an assignment that was checked off, edited or removed offline shows so, also on its item', () => {
  const assigned = (changes: ReturnType<typeof change>[]) =>
    (answer('item-marks', prompts, changes) as { items: { assigned: number }[] }).items.map((one) => one.assigned)
  const teamAfter = (changes: ReturnType<typeof change>[]) => answer('team-assignments', {}, changes)
  expect(assigned([])).toEqual([1])
  const done = [change('check-off', { assignmentId: 'one', done: true })]
  expect(teamAfter(done)).toMatchObject({
    team: { assignments: [{ done: true, doneBy: 'mia@example.com', checkedAt: at }] },
  })
  expect(assigned(done)).toEqual([0])
  const edit = { assignmentId: 'one', to: { locationId: 'oak' }, dueOn: null, note: 'Anyone' }
  expect(teamAfter([change('edit-assignment', edit)])).toMatchObject({
    team: {
      assignments: [
        { to: 'location', toId: 'oak', toName: 'Oak Avenue', dueOn: null, note: 'Anyone', isMine: false, editedAt: at },
      ],
    },
  })
  const removed = [change('remove-assignment', { assignmentId: 'one', removed: true })]
  expect(teamAfter(removed)).toMatchObject({ team: { assignments: [] } })
  const restored = [...removed, change('remove-assignment', { assignmentId: 'one', removed: false })]
  expect(teamAfter(restored)).toMatchObject({ team: { assignments: [assignment] } })
  const kept = [change('team-collect', { ...prompt, member: true })]
  expect(teamAfter(kept)).toMatchObject({ team: { collection: [{ ...prompt, title: 'Answer a review' }] } })
})
