import { callAs } from './support/accounts.ts'
import { inspect } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

const path = '/portal/weekly-drops/a-week-of-reviews'

test('Two members and the editor talk under a drop, and the editor empties the list with the keyboard alone', async ({
  page,
  request,
  login,
  loginAs,
  signUp,
  signUpSubscriber,
}) => {
  const [ana, ben] = [await signUpSubscriber(), await signUpSubscriber()]
  await login(ana)

  await test.step('a member answers in two steps and a name, and the focus is on the answer', async () => {
    await page.goto(path)
    const answers = page.getByRole('region', { name: /^(1 answer|Answers)$/ })
    await page.getByRole('navigation', { name: 'Other drops' }).scrollIntoViewIfNeeded()
    await answers
      .getByLabel('What worked for you, or what do you want to know?')
      .fill('Two replies a day work for **us**')
    await answers.getByLabel('Display name').fill('Ana')
    await answers.getByRole('button', { name: 'Post answer' }).click()
    await expect(answers.getByRole('article', { name: 'Answer by Ana' })).toBeFocused()
    await inspect(page, 'answers-under-a-drop')
  })

  const { items } = await callAs<{ items: { id: string }[] }>(request, ben, 'comments', {
    issueId: 'a-week-of-reviews',
  })
  await callAs(request, ben, 'mark-comment', { id: items[0]?.id, mark: 'helpful' })
  await callAs(request, ben, 'mark-comment', { id: items[0]?.id, mark: 'report', reason: 'Is this an ad?' })
  await callAs(request, ben, 'post-comment', {
    ...{ issueId: 'a-week-of-reviews', text: 'Who signs the replies?', isQuestion: true, name: 'Ben' },
  })

  await test.step('someone without a plan learns that the answers aren’t open to them', async () => {
    await login(await signUp())
    await page.goto('/talk/a-week-of-reviews')
    await expect(page.getByRole('alert')).toContainText('You don’t have access to these answers.')
  })

  await test.step('an editor empties the list with keys, and replies to the question', async () => {
    await loginAs('admin')
    await page.goto('/admin/content/answers')
    const list = page.getByRole('list', { name: 'Waiting' })
    const question = list.getByRole('article', { name: 'Question by Ben' })
    const reported = list.getByRole('article', { name: 'Answer by Ana' })
    await expect(list.getByRole('article').first()).toHaveAccessibleName('Question by Ben')
    await inspect(page, 'answers-that-wait')
    await question.focus()
    await page.keyboard.press('j')
    await expect(reported).toBeFocused()
    await page.keyboard.press('a')
    await expect(reported).toBeHidden()
    await expect(question).toBeFocused()
    await page.keyboard.press('o')
    await expect(page.getByRole('article', { name: 'Question by Ben' })).toBeFocused()
    await page.getByRole('button', { name: 'Reply to Ben' }).click()
    await page.getByLabel('Your reply').fill('The manager on duty')
    const name = page.getByLabel('Display name')
    if (await name.last().isVisible()) await name.last().fill('The editor')
    await page.getByRole('button', { name: 'Post reply' }).click()
    await expect(page.getByRole('article', { name: 'Reply by The editor' })).toBeFocused()
    await page.goto('/admin/content/answers')
    await expect(page.getByText('Nothing is waiting for you.')).toBeVisible()
  })
})
