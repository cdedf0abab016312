import type { APIRequestContext, Page } from '@playwright/test'
import { type Account, callAs, newEmail, newPassword } from './support/accounts.ts'
import { cards, payWith } from './support/checkout.ts'
import { confirmEmail, emailsTo } from './support/emails.ts'
import { inspect } from './support/inspect.ts'
import { test } from './support/own-server.ts'
import { expect, toasts } from './support/test.ts'

test.describe.configure({ timeout: 420_000 })

type Settings = { version: number; values: Record<string, string>; fields: { name: string; default: string }[] }

/** Changes a group of settings as their form does. */
async function changeSettings(api: APIRequestContext, owner: Account, call: string, change: Record<string, string>) {
  const { version, values } = await callAs<Settings>(api, owner, call)
  await callAs(api, owner, call, { save: { version, values: { ...values, ...change } } })
}

const landing = {
  heroTitle: 'Better bread, one dough at a time',
  heroText:
    'Every Friday, one recipe for people who bake for a living: the weights, the hours, and how to tell it worked.',
  heroNote: 'From {price} a month. Cancel at any time.',
  dropsTitle: 'Recipes of the week',
  dropsText: 'One recipe a week, with weights for ten and for a hundred loaves.',
  promptsTitle: 'Order sheets',
  promptsText: 'Sheets to fill in and hang up.',
  guidesTitle: 'Schedules',
  guidesText: 'Plans for the night shift, to print.',
  toolsTitle: 'Ovens and mixers',
  toolsText: 'What they are good for, and for whom they aren’t.',
  benefits: 'Every recipe, in the order that fits your bakery\nEvery past recipe from day one',
  question1: 'What do I get, and when?',
  answer1: 'One recipe every Friday, by email and on this site.',
  question2: 'How does it know what I bake?',
  answer2: 'You answer a few questions after signing up. Matching parts come first.',
  question3: 'Can I cancel?',
  answer3: 'Yes, at any time.',
  question4: '',
  answer4: '',
  question5: '',
  answer5: '',
  question6: '',
  answer6: '',
}

const pages = {
  glossary: '## Crumb\n\nThe inside of a loaf.\n\n## Starter\n\nFlour and water that ferment.',
  'safety-title': 'Before you change a recipe',
  'safety-intro': 'Three rules from the bench.',
  'safety-rules': '## Allergens\n\nA new flour may change the label.',
  'safety-may-go-in': 'Flour, water and salt.',
  'safety-decisions': 'Ask whoever signs the label.',
  'safety-incidents': 'Write down what went wrong, and when.',
  'start-intro': 'Three small steps for the first week.',
  ...Object.fromEntries(
    ['win', 'policy', 'pilot'].flatMap((step, at) => [
      [`start-${step}-title`, `Step ${at + 1}`],
      [`start-${step}-minutes`, '10'],
      [`start-${step}-body`, 'Weigh one dough and write the weight down.'],
      [`start-${step}-label`, 'Read the recipes'],
      [`start-${step}-path`, '/portal/weekly-drops'],
    ]),
  ),
  'method-title': 'How we test a recipe',
  method: 'We bake each recipe three times.',
}

/** The questions as a bakery asks them. Options are renamed in order; the rest are retired. */
const questions = {
  focusAreas: { name: 'Doughs', wording: 'What do you bake?', hint: '', labels: ['Sourdough', 'Rye', 'Sweet dough'] },
  aiLevel: {
    name: 'Years',
    wording: 'How long have you baked?',
    hint: '',
    labels: ['One year', 'Five years', 'Longer'],
  },
  goals: { name: 'Wishes', wording: 'What would help most?', hint: '', labels: ['Sleep longer', 'Waste less'] },
  franchiseType: { name: 'Shop', wording: 'What kind of shop is it?', hint: '', labels: ['Counter', 'Café'] },
}

const forbidden = /franchis|\bA\.?I\b|ChatGPT|prompt|royalt|Front Counter/i

/** Lines of a page that still speak of the product's first publication, in texts, names and descriptions. */
async function strayLines(page: Page, path: string): Promise<string[]> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0)
  const lines = await page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [placeholder], [alt], [title], [content]')]
    const attributes = named.flatMap((element) =>
      ['aria-label', 'placeholder', 'alt', 'title', 'content'].map((name) => element.getAttribute(name) ?? ''),
    )
    for (const details of document.querySelectorAll('details')) details.open = true
    return [document.title, ...document.body.innerText.split('\n'), ...attributes]
  })
  return lines.filter((line) => forbidden.test(line)).map((line) => `${path}: ${line.trim().slice(0, 200)}`)
}

async function publishRecipe(api: APIRequestContext, owner: Account) {
  type Stored = { id: string; version: number; document: object }
  const made = await callAs<Stored>(api, owner, 'admin-create-document', { kind: 'issue', title: 'Rye in a day' })
  const section = {
    id: crypto.randomUUID(),
    heading: 'Weigh the starter',
    summary: 'One bowl, one scale.',
    focusAreas: ['Marketing'],
    aiLevel: 'beginner',
    goals: [],
    franchiseTypes: [],
    minutes: 5,
    body: 'Weigh it before the shift, and write the weight on the bowl.',
  }
  const document = {
    ...made.document,
    ...{ date: '2026-11-20', preview: 'One bowl.', intro: 'Rye wants time.', sections: [section] },
    question: 'Which dough costs you sleep?',
  }
  const { id, version } = await callAs<Stored>(api, owner, 'admin-save-document', {
    kind: 'issue',
    ...{ id: made.id, version: made.version, document },
  })
  await callAs(api, owner, 'admin-publish-document', { kind: 'issue', id, version })
  const { document: stored } = await callAs<{ document: { slug: string } }>(api, owner, 'admin-read-document', {
    kind: 'issue',
    id,
  })
  return stored.slug
}

test('A bakery set up in the admin alone has no word left of another publication, from the landing page to its emails', async ({
  page,
  browser,
  baseURL,
  login,
  admin,
  request,
}) => {
  const owner = await admin()
  await login(owner)

  await test.step('Samples go, and the publication gets its name, texts and pages', async () => {
    await page.goto('/admin/settings/start')
    await page.getByRole('button', { name: 'Remove all sample content' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove \d+ samples$/ })
      .click()
    await expect(toasts(page).filter({ hasText: 'The sample content is removed' })).toBeVisible()
    await changeSettings(request, owner, 'admin-publication-settings', {
      name: 'Rye & Rise',
      tagline: 'Recipes for people who bake for a living',
      description: 'A weekly recipe with weights, hours and the mistakes to avoid.',
      footer: '© 2026',
      ...Object.fromEntries(Object.entries(landing).map(([name, text]) => [`landing.${name}`, text])),
    })
    await changeSettings(request, owner, 'admin-page-settings', pages)
    await changeSettings(request, owner, 'admin-navigation-settings', {
      tabs: '/portal/weekly-drops Recipes\n/portal/glossary Words',
      header: '/drops Recipes\n/#pricing Join\n/auth Sign in',
      footer: '/drops Recipes\n/glossary Words',
      members: '/portal/start-here Start here',
      'label.getAccess': 'Join the bakery',
      'lede.weekly-drops': 'One recipe a week, with weights and hours.',
    })
    await page.goto('/admin/settings/publication')
    await expect(page.getByRole('textbox', { name: 'Tagline' })).toHaveValue('Recipes for people who bake for a living')
    await inspect(page, 'bakery-settings')
  })

  await test.step('Its own questions, plans in euros and a newsletter', async () => {
    type Stored = { question: keyof typeof questions; version: number; options: { key: string }[] }
    const { items } = await callAs<{ items: Stored[] }>(request, owner, 'admin-questions')
    for (const { question, version, options } of items) {
      const { labels, ...wording } = questions[question]
      await callAs(request, owner, 'admin-save-question', {
        ...{ question, version, ...wording },
        options: labels.map((label, at) => ({ key: options[at]?.key ?? null, label, description: '' })),
      })
    }
    await page.goto('/admin/money/plans')
    await page.getByRole('button', { name: 'Create plan' }).click()
    const form = page.getByRole('form', { name: 'Create plan' })
    await form.getByLabel('Name').fill('Baker')
    await form.getByLabel('Price', { exact: true }).fill('7')
    await form.getByLabel('Currency').selectOption('EUR')
    await form.getByRole('button', { name: 'Create plan' }).click()
    await expect(page.getByRole('list', { name: 'Plans' })).toContainText('€7 per month, 0 members')
    type Plan = { key: string; version: number; name: string }
    const plans = await callAs<{ items: Plan[] }>(request, owner, 'admin-plans')
    for (const { key, version } of plans.items.filter(({ name }) => name !== 'Baker'))
      await callAs(request, owner, 'admin-retire-plan', { key, version, retired: true })
    await page.reload()
    await expect(page.getByRole('list', { name: 'Plans' })).toContainText('Retired')
    await inspect(page, 'bakery-plans')
    await page.goto('/admin/newsletter/newsletters')
    await page.getByRole('button', { name: 'Create newsletter' }).click()
    const newsletter = page.getByRole('form', { name: 'Create newsletter' })
    await newsletter.getByLabel('Name', { exact: true }).fill('Market days')
    await newsletter.getByLabel('Description').fill('Where we stand this month.')
    await newsletter.getByRole('button', { name: 'Create newsletter' }).click()
    await expect(page.getByRole('list', { name: 'Newsletters' })).toContainText('Market days')
  })

  const slug = await publishRecipe(request, owner)
  const context = await browser.newContext({ baseURL })
  const reader = await context.newPage()
  const email = newEmail()
  const stray: string[] = []
  const read = async (target: Page, paths: readonly string[]) => {
    for (const path of paths) stray.push(...(await strayLines(target, path)))
  }

  await test.step('A visitor reads the public pages', async () => {
    await expect(async () => {
      await reader.goto('/')
      await expect(reader.getByRole('article', { name: 'Baker' })).toContainText('€7', { timeout: 1_000 })
    }).toPass()
    await expect(reader.getByRole('heading', { name: 'Order sheets' })).toHaveCount(0)
    await expect(reader.getByRole('heading', { name: 'Rye in a day' })).toBeVisible()
    await inspect(reader, 'bakery-landing')
    await read(reader, ['/', '/drops', `/drops/${slug}`, '/glossary', '/auth', '/auth?mode=sign-up', '/nothing-here'])
  })

  await test.step('The visitor signs up, answers and pays in euros', async () => {
    await reader.goto('/auth?mode=sign-up')
    await reader.getByLabel('Email').fill(email)
    await reader.getByLabel('Password', { exact: true }).fill(newPassword)
    await reader.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await reader.getByRole('checkbox', { name: 'Rye' }).check()
    await expect(toasts(reader)).toHaveCount(0)
    await inspect(reader, 'bakery-questions')
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await reader.getByRole('radio', { name: 'Five years' }).check()
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await reader.getByRole('checkbox', { name: 'Sleep longer' }).check()
    await reader.getByRole('button', { name: 'Finish', exact: true }).click()
    await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
    await confirmEmail(request, email)
    await reader.goto('/portal/weekly-drops')
    await read(reader, ['/portal/weekly-drops', '/account/billing'])
    await reader.goto('/')
    await reader.getByRole('article', { name: 'Baker' }).getByRole('button').click()
    await expect(reader.getByText('€7.00').first()).toBeVisible()
    await payWith(reader, cards.works)
    await expect(reader).toHaveURL(/\/portal\/weekly-drops$/)
    await inspect(reader, 'bakery-portal')
  })

  await test.step('The member reads every page, and the emails', async () => {
    await read(reader, [
      ...['weekly-drops', `weekly-drops/${slug}`, 'archive', 'search', 'saved', 'start-here', 'glossary', 'value'].map(
        (path) => `/portal/${path}`,
      ),
      ...['', '/profile', '/preferences', '/email', '/billing', '/security', '/data'].map((path) => `/account${path}`),
    ])
    await reader.goto(`/portal/weekly-drops/${slug}`)
    await expect(reader.getByRole('link', { name: 'All recipes' })).toBeVisible()
    await inspect(reader, 'bakery-recipe')
    const emails = await emailsTo(request, email)
    expect(emails.length).toBeGreaterThan(1)
    for (const { subject, text } of emails)
      stray.push(
        ...[subject, ...text.split('\n')].filter((line) => forbidden.test(line)).map((line) => `email: ${line}`),
      )
  })
  expect(stray).toEqual([])
  await context.close()
})
