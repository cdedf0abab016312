import { describe, expect, test } from 'vitest'
import type { PageFiles } from './content-files.ts'
import { editPage, textNameAt, textsOf } from './page-texts.ts'

const glossary: PageFiles['glossary'] = {
  checkedOn: '2026-11-22',
  terms: [
    { id: 'fdd', term: 'FDD (disclosure document)', definition: 'What a franchisor\n\nhas to disclose.', seeAlso: [] },
    { id: 'pilot', term: 'Pilot', definition: 'A test.', seeAlso: ['fdd'] },
  ],
}
const safety: PageFiles['safety'] = {
  checkedOn: '2026-11-22',
  title: 'Never',
  intro: 'Rules.',
  never: [
    { id: 'customers', rule: 'Customers’ names.', why: 'They are theirs.', exception: 'They agreed.' },
    { id: 'children', rule: 'Anything about a child.', why: 'No safe version.', exception: '' },
  ],
  mayGoIn: 'Numbers.',
  decisions: 'People decide.',
  incidents: 'Tell us.',
}

describe('a page as texts', () => {
  test('is the same page when one text changes', () => {
    const texts = textsOf.glossary(glossary)
    expect(texts.glossary).toBe(
      '## FDD (disclosure document) {#fdd}\n\nWhat a franchisor\n\nhas to disclose.\n\n## Pilot\n\nA test.\n\nSee also: FDD (disclosure document)',
    )
    const added = editPage('glossary', glossary, { glossary: `${texts.glossary}\n\n## New term\n\nIt is new.` })
    expect(added.problems).toEqual({})
    expect(added.page.terms).toEqual([
      ...glossary.terms,
      { id: 'new-term', term: 'New term', definition: 'It is new.', seeAlso: [] },
    ])
    const opened = editPage('safety', safety, { ...textsOf.safety(safety), 'safety-intro': 'Our rules.' })
    expect(opened).toEqual({ page: { ...safety, intro: 'Our rules.' }, changed: ['safety-intro'], problems: {} })
  })

  test('keeps the address of an entry that is renamed, also if an editor escaped it', () => {
    const { page } = editPage('safety', safety, {
      'safety-rules': '## Guests {\\#customers}\n\nWhy.\n\nException: Never.',
    })
    expect(page.never).toEqual([{ id: 'customers', rule: 'Guests', why: 'Why.', exception: 'Never.' }])
  })

  test.each([
    ['', 'Begin each entry with a heading (##).'],
    ['No heading', 'Begin each entry with a heading (##).'],
    ['## Pilot', 'Write a text below “Pilot”.'],
    ['## Pilot\n\nA.\n\n## pilot\n\nB.', 'Two entries have the address #pilot. Rename “pilot”.'],
    ['## Pilot\n\nA.\n\nSee also: Plan', '“Pilot” refers to “Plan”, which isn’t a term.'],
  ])('that reads %j has a problem, and the shipped one stays', (text, problem) => {
    const edited = editPage('glossary', glossary, { glossary: text })
    expect(edited.problems).toEqual({ glossary: problem })
    expect(edited.page).toEqual(glossary)
  })

  test('names the text that a part comes from', () => {
    expect(textNameAt('start-here', ['win', 'link', 'path'])).toBe('start-win-path')
    expect(textNameAt('start-here', ['pilot', 'minutes'])).toBe('start-pilot-minutes')
    expect(textNameAt('safety', ['never', 0, 'why'])).toBe('safety-rules')
    expect(textNameAt('safety', ['intro'])).toBe('safety-intro')
  })
})
