import { expect, type Page } from '@playwright/test'
import { allLooks } from './all-looks.ts'
import { settle } from './layout.ts'

/** Text at 200% on two common phones (WCAG 1.4.4), and a desktop at 400% zoom (1.4.10). The first is the tightest. */
const screens = [
  { width: 360, height: 780, textSize: '200%' },
  { width: 390, height: 844, textSize: '200%' },
  { width: 320, height: 640, textSize: '' },
] as const

/** Scales everything measured in rem, as a browser's text size setting does. */
const setTextSize = (page: Page, size: string) =>
  page.evaluate((value) => {
    document.documentElement.style.fontSize = value
  }, size)

/** Text and controls of the open page that overflow, overlap, are cut off or out of reach. */
const layoutProblems = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement
    const { clientWidth, clientHeight, scrollWidth } = root
    const problems = scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} px`] : []

    const describe = (element: Element) => {
      const text = element.textContent?.trim().replace(/\s+/g, ' ').slice(0, 50)
      return `<${element.tagName.toLowerCase()} class="${(element.getAttribute('class') ?? '').slice(0, 60)}"> ${text}`
    }
    const isCut = (value: string) => value === 'hidden' || value === 'clip'
    type Ancestry = { isForScreenReaders: boolean; isInScroller: boolean; layer: Element | null; cutters: Element[] }
    const outside: Ancestry = { isForScreenReaders: false, isInScroller: false, layer: null, cutters: [] }
    const known = new Map<Element | null, Ancestry>([
      [root, outside],
      [null, outside],
    ])
    /** Describes what the element and its ancestors do to the text in it; the nearest layer and cutter come first. */
    const ancestryOf = (element: Element | null): Ancestry => {
      const cached = known.get(element)
      if (cached || !element) return cached ?? outside
      const above = ancestryOf(element.parentElement)
      const { overflowX, overflowY, position } = getComputedStyle(element)
      const scrollsDown = /auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1
      const ancestry = {
        isForScreenReaders: above.isForScreenReaders || (element.clientWidth === 1 && element.clientHeight === 1),
        // A table or tab list that scrolls without the page.
        isInScroller: above.isInScroller || /auto|scroll/.test(overflowX),
        // A box that scrolls by itself hides text that would lie over what is around it.
        layer: /fixed|sticky/.test(position) || scrollsDown ? element : above.layer,
        cutters: isCut(overflowX) || isCut(overflowY) ? [element, ...above.cutters] : above.cutters,
      }
      known.set(element, ancestry)
      return ancestry
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !ancestryOf(element).isForScreenReaders
    const isOutside = ({ left, right }: DOMRect) => right > 0 && (left < -1 || right > clientWidth + 1)

    type Text = { node: Node; parent: Element; rect: DOMRect; layer: Element | null }
    const texts: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      // Excerpts are cut off at the bottom on purpose.
      if (!parent || !node.textContent?.trim() || parent.closest('script, style, option, [data-excerpt]')) continue
      if (parent.closest('[aria-hidden=true]') || !isSeen(parent)) continue
      const { layer } = ancestryOf(parent)
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        // The skip link is off screen until focused.
        if (rect.width > 1 && rect.right > 0) texts.push({ node, parent, rect, layer })
      }
    }

    for (const { parent, rect } of texts) {
      if (isOutside(rect) && !ancestryOf(parent).isInScroller) problems.push(`text off screen: ${describe(parent)}`)
      const cutBy = ancestryOf(parent).cutters.find((one) => {
        const { overflowX, overflowY } = getComputedStyle(one)
        const box = one.getBoundingClientRect()
        // A line box is taller than its text.
        const spare = rect.height / 4
        return (
          (isCut(overflowX) && (rect.right > box.right + 2 || rect.left < box.left - 2)) ||
          (isCut(overflowY) && (rect.bottom > box.bottom + spare || rect.top < box.top - spare))
        )
      })
      if (cutBy) problems.push(`cut off: ${describe(parent)} by ${describe(cutBy).slice(0, 70)}`)
    }

    // Text fills the middle of its line box; the boxes themselves may touch.
    const lines = texts
      .map((text) => {
        const { top, bottom, height } = text.rect
        return { ...text, top: top + height * 0.3, bottom: bottom - height * 0.3 }
      })
      .sort((one, other) => one.top - other.top)
    lines.forEach((one, index) => {
      for (let next = index + 1; next < lines.length; next++) {
        const other = lines[next]
        if (!other || other.top >= one.bottom) break
        if (one.node === other.node || one.layer !== other.layer) continue
        const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
        if (across > 2) problems.push(`overlap: ${describe(one.parent)} / ${describe(other.parent)}`)
      }
    })

    // Fixed bars and dialogs stay on screen, and a navigation bar takes at most a fifth of it.
    for (const bar of document.querySelectorAll('nav, header, dialog[open]')) {
      if (!isSeen(bar) || getComputedStyle(bar).position !== 'fixed') continue
      const box = bar.getBoundingClientRect()
      const isOff = isOutside(box) || box.top < -1 || box.bottom > clientHeight + 1
      if (isOff) problems.push(`off screen: ${describe(bar)}`)
      if (bar.tagName === 'NAV' && box.height > clientHeight / 5) problems.push(`too tall: ${describe(bar)}`)
    }

    for (const control of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea')) {
      if (!isSeen(control) || ancestryOf(control).isInScroller) continue
      if (isOutside(control.getBoundingClientRect())) problems.push(`out of reach: ${describe(control)}`)
    }
    return [...new Set(problems)]
  })

/** Checks the open page on small screens and with enlarged text, without reloading it. */
export async function inspectSmallScreens(page: Page, name: string) {
  for (const { width, height, textSize } of allLooks ? screens : screens.slice(0, 1)) {
    await page.setViewportSize({ width, height })
    await setTextSize(page, textSize)
    await settle(page)
    const where = `${name}, ${width} px, text at ${textSize || '100%'}`
    const problems = await layoutProblems(page)
    expect.soft(problems, `small screen: ${where}`).toEqual([])
    if (problems.length > 0) {
      const path = `test-results/small-screens/${name}-${width}.png`
      await page.screenshot({ path, fullPage: true, animations: 'disabled' })
    }
  }
  await setTextSize(page, '')
}
