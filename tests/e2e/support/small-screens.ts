import { expect, type Page } from '@playwright/test'
import { settle } from './layout.ts'

/** Text at 200 % on two common phones (WCAG 1.4.4), and what a desktop at 400 % zoom has left (1.4.10). */
const screens = [
  { width: 360, height: 780, textSize: '200%' },
  { width: 390, height: 844, textSize: '200%' },
  { width: 320, height: 640, textSize: '' },
] as const

/** As a reader who enlarges text: the screen stays, everything measured in rem grows. */
const setTextSize = (page: Page, size: string) =>
  page.evaluate((value) => {
    document.documentElement.style.fontSize = value
  }, size)

/** What a reader of the open page would have to scroll sideways for, can't read or can't press. */
const layoutProblems = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement
    const { clientWidth, clientHeight, scrollWidth } = root
    const problems = scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} px`] : []

    const describe = (element: Element) => {
      const text = element.textContent?.trim().replace(/\s+/g, ' ').slice(0, 50)
      return `<${element.tagName.toLowerCase()} class="${(element.getAttribute('class') ?? '').slice(0, 60)}"> ${text}`
    }
    const lineage = (element: Element) => {
      const found: Element[] = []
      for (let next: Element | null = element; next && next !== root; next = next.parentElement) found.push(next)
      return found
    }
    const isForScreenReaders = (element: Element) =>
      lineage(element).some(({ clientWidth: width, clientHeight: height }) => width === 1 && height === 1)
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !isForScreenReaders(element)
    /** A table or a list of tabs that moves by itself, and the page with it doesn't. */
    const isInScroller = (element: Element) =>
      lineage(element).some((one) => /auto|scroll/.test(getComputedStyle(one).overflowX))
    const isOutside = ({ left, right }: DOMRect) => right > 0 && (left < -1 || right > clientWidth + 1)

    type Text = { node: Node; parent: Element; rect: DOMRect; layer: Element | undefined }
    const texts: Text[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      // A sample that goes on below its edge on purpose is cut off.
      if (!parent || !node.textContent?.trim() || parent.closest('script, style, option, [data-excerpt]')) continue
      if (parent.closest('[aria-hidden=true]') || !isSeen(parent)) continue
      const layer = lineage(parent).find((one) => /fixed|sticky/.test(getComputedStyle(one).position))
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        // Out of sight until it has the focus: the link that skips to the content.
        if (rect.width > 1 && rect.right > 0) texts.push({ node, parent, rect, layer })
      }
    }

    for (const { parent, rect } of texts) {
      if (isOutside(rect) && !isInScroller(parent)) problems.push(`text off screen: ${describe(parent)}`)
      const cutBy = lineage(parent).find((one) => {
        const { overflowX, overflowY } = getComputedStyle(one)
        const isCut = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        const box = one.getBoundingClientRect()
        // The box of a line is taller than its letters.
        const spare = rect.height / 4
        return (
          (isCut(overflowX) && (rect.right > box.right + 2 || rect.left < box.left - 2)) ||
          (isCut(overflowY) && (rect.bottom > box.bottom + spare || rect.top < box.top - spare))
        )
      })
      if (cutBy) problems.push(`cut off: ${describe(parent)} by ${describe(cutBy).slice(0, 70)}`)
    }

    // Letters fill the middle of their line's box; the boxes themselves may touch.
    const letters = texts
      .map((text) => {
        const { top, bottom, height } = text.rect
        return { ...text, top: top + height * 0.3, bottom: bottom - height * 0.3 }
      })
      .sort((one, other) => one.top - other.top)
    letters.forEach((one, index) => {
      for (const other of letters.slice(index + 1)) {
        if (other.top >= one.bottom) break
        if (one.node === other.node || one.layer !== other.layer) continue
        const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
        if (across > 2) problems.push(`overlap: ${describe(one.parent)} / ${describe(other.parent)}`)
      }
    })

    // What floats stays on the screen, and a bar leaves most of it to the page.
    for (const bar of document.querySelectorAll('nav, header, dialog[open]')) {
      if (!isSeen(bar) || getComputedStyle(bar).position !== 'fixed') continue
      const box = bar.getBoundingClientRect()
      const isOff = isOutside(box) || box.top < -1 || box.bottom > clientHeight + 1
      if (isOff) problems.push(`off screen: ${describe(bar)}`)
      if (bar.tagName === 'NAV' && box.height > clientHeight / 5) problems.push(`too tall: ${describe(bar)}`)
    }

    for (const control of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea')) {
      if (!isSeen(control) || isInScroller(control)) continue
      if (isOutside(control.getBoundingClientRect())) problems.push(`out of reach: ${describe(control)}`)
    }
    return [...new Set(problems)]
  })

/** Holds an open page to small screens and to enlarged text: only sizes change, nothing is loaded again. */
export async function inspectSmallScreens(page: Page, name: string) {
  for (const { width, height, textSize } of screens) {
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
