import { expect, test } from 'vitest'
import { pickSamples } from '../../../scripts/build/pick-samples.ts'

const section = (heading: string, body: string) => ({
  id: heading.toLowerCase(),
  heading,
  summary: `About ${heading}`,
  focusAreas: ['Operations'],
  aiLevel: 'beginner',
  minutes: 10,
  body,
})

const files = () => ({
  choice: { drop: { slug: 'close', section: 'second' }, promptId: 'p1', guideId: 'g1', toolId: 't1' },
  drops: [
    {
      slug: 'close',
      title: 'The close',
      date: '2026-11-17',
      preview: 'Preview',
      tags: ['Operations'],
      intro: 'paid intro',
      closing: 'paid closing',
      sections: [
        section('First', 'paid first'),
        { ...section('Second', 'May be read.\nStill.\n\npaid second'), openToEveryone: true },
      ],
    },
    { slug: 'other', title: 'Other', date: '2026-11-10', preview: 'paid', tags: ['Sales'], sections: [] },
  ],
  categories: [
    {
      title: 'Operations',
      prompts: [
        { id: 'p0', title: 'Zero', when: 'w', body: 'paid prompt' },
        { id: 'p1', title: 'One', when: 'w', body: 'Sample prompt' },
      ],
    },
  ],
  guides: [
    { id: 'g1', type: 'Template', title: 'G', format: 'PDF', extent: '2 pages', inside: ['a'], excerpt: 'Lines' },
  ],
  tools: [
    { id: 't1', name: 'T', category: 'C', rating: 4.7, verdict: 'V', goodFor: [], watchOut: [], useCase: 'paid use' },
  ],
})

test('only the outline and one first paragraph of the drop are included', () => {
  const { samples } = pickSamples(files())
  expect(samples.drop?.opening).toEqual({ heading: 'Second', paragraph: 'May be read. Still.' })
  expect(samples.prompt).toMatchObject({ title: 'One', category: 'Operations', categoryCount: 2 })
  expect(JSON.stringify(samples)).not.toContain('paid')
})

test('a chosen section that is for members fails the build', () => {
  const broken = files()
  broken.choice.drop.section = 'first'
  expect(() => pickSamples(broken)).toThrow(/the section "First" isn’t open to everyone/)
})

test('a chosen sample that doesn’t exist fails the build with its name', () => {
  for (const [key, wanted] of [
    ['promptId', 'the prompt "gone"'],
    ['guideId', 'the guide "gone"'],
    ['toolId', 'the tool "gone"'],
  ] as const) {
    const broken = files()
    broken.choice[key] = 'gone'
    expect(() => pickSamples(broken)).toThrow(wanted)
  }
  const broken = files()
  broken.choice.drop.section = 'Renamed'
  expect(() => pickSamples(broken)).toThrow('the section "Renamed" of "close"')
})

test('an error about an invalid file names the file', () => {
  expect(() => pickSamples({ ...files(), tools: [{ id: 't1' }] })).toThrow('content/tools.yaml')
})
