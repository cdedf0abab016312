import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

declare global {
  interface Window {
    /** Texts that the voice was asked to say, with their speed. */
    said: { text: string; rate: number }[]
    isAllowed?: boolean
    /** Ends the sentence that is being spoken. */
    finish: () => void
  }
}

test('A drop is read aloud sentence by sentence, each marked, at the chosen speed, and stops with the page', async ({
  page,
  loginAs,
}) => {
  // Browsers in tests have no voice.
  await page.addInitScript(() => {
    let current: SpeechSynthesisUtterance | null = null
    window.said = []
    window.finish = () => current?.onend?.(new Event('end') as SpeechSynthesisEvent)
    speechSynthesis.speak = (utterance) => {
      // Phones speak only if the first text comes in a tap, before the bar is here.
      if (utterance.text === '') window.isAllowed = navigator.userActivation.isActive
      if (utterance.text === '' || !window.isAllowed) return
      current = utterance
      window.said.push({ text: utterance.text, rate: utterance.rate })
    }
    speechSynthesis.cancel = () => {
      current = null
    }
  })
  const said = () => page.evaluate(() => window.said)
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join(''))
  await loginAs('pro')
  await page.goto('/portal/weekly-drops/a-week-of-reviews')
  await page.getByRole('button', { name: 'Listen' }).click()
  const bar = page.getByRole('region', { name: 'Listen' })
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeFocused()
  const title = 'A week of reviews, answered in one sitting'
  await expect.poll(said).toEqual([{ text: title, rate: 1 }])
  expect(await marked()).toBe(title)

  await page.evaluate(() => window.finish())
  await expect.poll(async () => (await said()).length).toBe(2)
  const [, second] = await said()
  expect((await marked()).trim()).toBe(second?.text)
  expect(second?.text).toMatch(/\.$/)

  await bar.getByRole('combobox', { name: 'Speed' }).selectOption('1.5')
  await expect.poll(async () => (await said()).at(-1)).toEqual({ text: second?.text, rate: 1.5 })
  await bar.getByRole('button', { name: 'Pause' }).click()
  await bar.getByRole('button', { name: 'Previous sentence' }).click()
  await expect.poll(marked).toBe(title)
  await inspect(page, 'listen')
  await bar.getByRole('button', { name: 'Play' }).click()
  await expect.poll(async () => (await said()).at(-1)).toEqual({ text: title, rate: 1.5 })

  const texts = (await said()).map(({ text }) => text).join(' ')
  expect(texts).not.toContain('Copy')
  await bar.getByRole('button', { name: 'Stop listening' }).click()
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Listen' })).toBeFocused()
  expect(await marked()).toBe('')
})
