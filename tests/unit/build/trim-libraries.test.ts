import { expect, test } from 'vitest'
import { emptyFunctions } from '../../../scripts/build/trim-libraries.ts'

test('the trimmed module has the same exports, which do nothing', () => {
  const trimmed = emptyFunctions(
    ['export function a() {}', 'export const b = () => 1', 'const c = 2', 'export { c as d, c };'].join('\n'),
  )
  expect(trimmed).toContain('export { none as a, none as b, none as d, none as c }')
})
