import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FeatureDeps } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { createFindIssue } from '#server/features/library/content/read-issues.ts'
import { answerFile } from '#server/features/reader/sharing/sharing.routes.ts'
import type { AppEnv } from '#server/http/principal.ts'
import type { CrewTextName } from '#server/pages/crew-texts.ts'
import { linkPagePolicy } from '#server/pages/link-pages.ts'
import type { Markup } from '#server/pages/page-layout.ts'
import { type CrewLanguage, chooseLanguage } from '#shared/domain/task-links.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import { askAboutTask, checkOffTask, consumeTaskLimit, recordOpening } from './answer-task.ts'
import { findTask, readTaskText, type Task } from './find-task.ts'
import { readName, readTaskForm } from './task-form.ts'
import { endedTaskPage, taskPage, taskPaths } from './task-page.ts'

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const styles = readText('./task-page.css')
const script = readText('./entry-task-page.js')

/** What is said of an answer that wasn't accepted. Everything else is a failure of ours. */
const problems: Partial<Record<ErrorCode, CrewTextName>> = {
  validation_failed: 'problemForm',
  request_entity_too_large: 'problemTooLarge',
  unsupported_file: 'problemNoPhoto',
  invalid_image: 'problemNoPhoto',
  file_store_unavailable: 'problemTryAgain',
  over_request_rate_limit: 'problemTooMany',
  server_busy: 'problemTryAgain',
}

/**
 * Pages of task links, for people without an account. Reading one changes nothing, so scanners do no harm: the page's
 * script says that it was opened once someone touches it.
 */
export function taskRoutes(deps: FeatureDeps) {
  const { config } = deps
  const findDeps = { ...deps, findIssue: createFindIssue(deps.database.db) }
  const limits = createIpRateLimits(deps)

  const languageOf = (c: Context<AppEnv>, ofLink: CrewLanguage | null = null) =>
    chooseLanguage(c.req.query('lang'), ofLink, c.req.header('accept-language'))

  const answer = (c: Context<AppEnv>, page: Markup, status: ContentfulStatusCode = 200) => {
    c.header('Content-Security-Policy', `${linkPagePolicy("'self'")}; script-src 'self'; connect-src 'self'`)
    return c.html(page, status)
  }

  /** Runs a handler with the task of a link. Links that are wrong, old or ended are answered alike. */
  const withTask = async (c: Context<AppEnv>, token: string, run: (task: Task) => Promise<Response>) => {
    c.header('X-Robots-Tag', 'noindex, nofollow, noarchive')
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-store')
    try {
      const task = await findTask(findDeps, token)
      return await run(task)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      const isLimited = await limits.consume('verify', c.var.clientAddress).then(
        () => false,
        () => true,
      )
      return answer(c, endedTaskPage(languageOf(c), config, isLimited), isLimited ? 429 : 404)
    }
  }

  const show = async (
    c: Context<AppEnv>,
    task: Task,
    refusal: { problem: CrewTextName; name: string; status: ContentfulStatusCode } | null = null,
  ) => {
    const language = languageOf(c, task.language)
    const text = task.state === 'open' ? await readTaskText(findDeps, task, language) : null
    const { problem = null, name = '', status = 200 } = refusal ?? {}
    const sent = c.req.query('sent') === 'question'
    return answer(c, taskPage({ task, text, language, config, problem, name, sent }), status)
  }

  return new Hono<AppEnv>()
    .get(taskPaths.styles, (c) => answerFile(c, styles, 'text/css'))
    .get(taskPaths.script, (c) => answerFile(c, script, 'text/javascript'))
    .post(taskPaths.open, (c) =>
      withTask(c, c.req.query('t') ?? '', async (task) => {
        await consumeTaskLimit(deps, task, 'opening')
        const { name } = await c.req.parseBody().catch(() => ({ name: '' }))
        await recordOpening(deps, task, readName(name))
        return c.body(null, 204)
      }),
    )
    .post(taskPaths.answer, (c) =>
      withTask(c, c.req.query('t') ?? '', async (task) => {
        let name = ''
        try {
          await consumeTaskLimit(deps, task, 'answer')
          if (task.state !== 'open') return await show(c, task)
          const form = await readTaskForm(c)
          name = form.name
          if (form.action === 'done') await checkOffTask(deps, task, form)
          else if (form.question === '') throw new AppError('validation_failed')
          else await askAboutTask(deps, task, form)
          const query = new URLSearchParams({ lang: languageOf(c, task.language) })
          if (form.action === 'question') query.set('sent', 'question')
          return c.redirect(`/t/${task.token}?${query}`, 303)
        } catch (error) {
          const problem = error instanceof AppError ? problems[error.code] : undefined
          if (!problem) throw error
          return show(c, task, { problem, name, status: (error as AppError).status as ContentfulStatusCode })
        }
      }),
    )
    .get('/t/:token', (c) => withTask(c, c.req.param('token'), (task) => show(c, task)))
}
