import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The WCAG violations that axe finds on the open page, one line for each element. */
export async function axeViolations(page: Page): Promise<string[]> {
  // More than half a megabyte of script, so once per document rather than once per check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script)
  return page.evaluate(async (tags) => {
    // Emails are previewed in frames that run no script; they have accessibility tests of their own.
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      { exclude: [['iframe[srcdoc]']] },
      { runOnly: tags, resultTypes: ['violations'], preload: false, elementRef: true },
    )
    // In a text that is edited, the cursor scrolls a wide table.
    const isScrolledByCursor = (id: string, element?: Element) =>
      id === 'scrollable-region-focusable' && Boolean(element?.closest('[contenteditable=true]'))
    // Axe counts controls behind a modal dialog as its neighbors. The size of its targets is checked besides (inspect.ts).
    const isBesideCovered = (id: string, element?: Element) => id === 'target-size' && element?.closest('dialog:modal')
    return violations.flatMap(({ id, help, nodes }) =>
      nodes
        .filter(({ element }) => !isScrolledByCursor(id, element) && !isBesideCovered(id, element))
        .map((node) => `${id}: ${help} ${node.target.join(' ')} ${node.failureSummary?.split('\n').at(-1) ?? ''}`),
    )
  }, wcagTags)
}
