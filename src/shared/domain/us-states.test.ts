import { expect, test } from 'vitest'
import { statesIn } from './us-states.ts'

test.each([
  ['IL', ['IL']],
  ['Illinois, Wisconsin', ['IL', 'WI']],
  ['IL, WI and IN', ['IL', 'WI', 'IN']],
  ['Aurora, CO 80012', ['CO']],
  ['Kansas City, MO', ['MO']],
  ['Kansas City', []],
  ['New York City', ['NY']],
  ['West Virginia', ['WV']],
  ['arkansas', ['AR']],
  ['Springfield', []],
  ['OK, we serve the whole county', ['OK']],
  ['in or near Maple Street', []],
])('%j names the states %j', (text, expected) => {
  expect(statesIn(text)).toEqual(expected)
})
