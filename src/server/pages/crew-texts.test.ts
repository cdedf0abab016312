import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { crewLanguages } from '#shared/domain/task-links.ts'
import { variables } from '#shared/domain/variables.ts'
import en from './crew-texts/en.json' with { type: 'json' }
import es from './crew-texts/es.json' with { type: 'json' }
import { type CrewTextName, crewTextsIn, dayIn, timeIn } from './crew-texts.ts'

const names = Object.keys(en.texts) as CrewTextName[]
/** What a message is filled with, in each of its forms. */
const argumentsOf = (text: string, language: string) =>
  JSON.stringify(new IntlMessageFormat(text, language).getAst())
    .match(/"value":"[a-z]\w*"(?=,"location)|"type":[1-6],"value":"\w+"/gi)
    ?.map((part) => part.replace(/.*:/, ''))
    .toSorted() ?? []

test('every language has every text, with the arguments of the English one', () => {
  expect(Object.keys(es.texts).toSorted()).toEqual(names.toSorted())
  for (const name of names) {
    expect(es.texts[name], name).not.toBe('')
    const [english, spanish] = [argumentsOf(en.texts[name], 'en'), argumentsOf(es.texts[name], 'es')]
    expect([name, new Set(spanish)]).toEqual([name, new Set(english)])
  }
})

test('texts are filled in with what is given, without reading it as markup', () => {
  const values = { name: '<b>{Ana}</b>', at: 'today' }
  for (const language of crewLanguages) expect(crewTextsIn(language)('doneBy', values)).toContain('<b>{Ana}</b>')
  expect(crewTextsIn('en')('blanksLeft', { count: 1 })).toBe('1 blank left')
  expect(crewTextsIn('es')('blanksLeft', { count: 2 })).toBe('Faltan 2 espacios')
})

test('the names of blanks are those of variables', () => {
  for (const name of Object.keys(es.variables)) expect(variables).toHaveProperty(name)
})

test('days and times are written in the language', () => {
  expect([dayIn('en', '2026-11-30'), dayIn('es', '2026-11-30')]).toEqual(['Nov 30, 2026', '30 nov 2026'])
  const at = new Date('2026-12-01T02:12:00Z')
  expect(timeIn('en', at, 'America/New_York')).toMatch(/^Nov 30, 9:12\sPM$/)
  expect(timeIn('es', at, 'America/New_York')).toMatch(/^30 (de )?nov\.?, 9:12\sp\.\s?m\.$/)
})
