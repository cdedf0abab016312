import { expect, test } from 'vitest'
import { menuPlace } from './slash-menu.tsx'

const visible = { top: 50, bottom: 800 }

test('the menu opens below the cursor if it fits there or has more room there, else above', () => {
  expect(menuPlace({ top: 100, bottom: 120 }, visible)).toEqual({ isBelow: true, maxHeight: 288 })
  expect(menuPlace({ top: 740, bottom: 760 }, visible)).toEqual({ isBelow: false, maxHeight: 288 })
  expect(menuPlace({ top: 150, bottom: 170 }, { top: 50, bottom: 380 })).toEqual({ isBelow: true, maxHeight: 198 })
  expect(menuPlace({ top: 250, bottom: 270 }, { top: 50, bottom: 380 })).toEqual({ isBelow: false, maxHeight: 188 })
})
