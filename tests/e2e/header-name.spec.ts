import type { Page } from '@playwright/test'
import { settle } from './support/layout.ts'
import { takeover, watchTakeover } from './support/takeover.ts'
import { expect, test } from './support/test.ts'

const longName = 'The Extraordinarily Long Weekly of Neighborhood Franchises'

/** What is wrong with the header: something outside the page, a control that is too small, or no name to see. */
const problems = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const header = document.querySelector('header')
    const name = header?.querySelector('[data-name]')?.getBoundingClientRect()
    const controls = [...(header?.querySelectorAll<HTMLElement>('nav a, nav button') ?? [])].filter((control) =>
      control.checkVisibility({ visibilityProperty: true }),
    )
    const covers = (box: DOMRect) =>
      name && box.left < name.right - 1 && box.right > name.left + 1 && box.top < name.bottom && box.bottom > name.top
    return [
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []),
      ...(name && name.width >= 38 && name.right <= clientWidth ? [] : [`the name has ${name?.width ?? 0} px`]),
      ...controls.flatMap((control) => {
        const box = control.getBoundingClientRect()
        const isOut = box.right > clientWidth + 1 || box.left < -1
        return isOut || covers(box) ? [`${control.innerText || control.title} is out of place`] : []
      }),
    ]
  })

for (const [who, paths] of [
  ['nobody', ['/']],
  ['new', ['/', '/account']],
  ['pro', ['/', '/portal/weekly-drops']],
  ['admin', ['/', '/portal/weekly-drops', '/admin']],
] as const) {
  test(`The publication’s name is beside the logo on phones: ${who}`, async ({ page, loginAs }) => {
    if (who !== 'nobody') await loginAs(who)
    else await watchTakeover(page)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('banner').getByRole('navigation', { name: 'Account' })).toContainText(/Sign (In|Out)/)
      if (who === 'nobody') {
        // A visitor's landing page loads the application at the first key.
        await page.keyboard.press('Tab')
        await takeover(page)
      }
      await page.waitForLoadState('networkidle')
      for (const name of [null, longName, 'Donaudampfschifffahrtsgesellschaft']) {
        if (name)
          await page.locator('header [data-name]').evaluate((element, text) => (element.textContent = text), name)
        for (const width of [360, 390]) {
          for (const textSize of ['', '200%']) {
            await page.setViewportSize({ width, height: 780 })
            await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize)
            await settle(page)
            expect.soft(await problems(page), `${path}, ${name}, ${width} px, ${textSize}`).toEqual([])
            if (process.env.SCREENSHOTS === '1') {
              const file = `${who}${path.replaceAll('/', '-')}-${name?.length ?? 0}-${width}-${textSize || '100%'}`
              await page.screenshot({
                path: `test-results/header/${file}.png`,
                clip: { x: 0, y: 0, width, height: 200 },
              })
            }
          }
        }
      }
    }
  })
}
