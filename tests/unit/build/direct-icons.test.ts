import { expect, test } from 'vitest'
import { iconModule } from '../../../scripts/build/direct-icons.ts'

test('an icon has only the shapes that its name stands for, without what all icons share', () => {
  expect(iconModule('ChevronDown')).toContain('createIcon([["path",{"d":"m6 9l6 6l6-6"}]])')
  expect(iconModule('Settings2')).toContain('["circle",{"cx":"17","cy":"17","r":"3"}]')
})

test('a filled dot stays filled', () => {
  expect(iconModule('KeyRound')).toContain('"fill":"currentColor"')
})

test('a name without an icon fails the build', () => {
  expect(() => iconModule('NoSuchThing')).toThrow('There is no icon NoSuchThing')
})
