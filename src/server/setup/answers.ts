import { z } from 'zod'
import { OperatorError } from '#server/explain-start-error.ts'
import { isEmailAddress, normalizeEmail } from '#shared/domain/email-address.ts'
import type { Variables } from './environment-file.ts'
import { type Finding, failed, formatFinding, type SetupSystem } from './setup-system.ts'

/** `https://news.example.com`, from a domain or a URL of it. */
const publicUrl = z
  .string()
  .transform((text) => (/^https?:\/\//i.test(text) ? text : `https://${text}`))
  .refine((text) => URL.canParse(text), 'isn’t a domain, such as news.example.com')
  .transform((text) => new URL(text))
  .refine(
    ({ hostname, port, pathname }) =>
      /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(hostname) && port === '' && pathname === '/',
    'must be a domain without port and path, such as news.example.com',
  )
  .transform(({ hostname }) => `https://${hostname}`)

type Question = { name: string; text: string; isSecret: boolean; schema: z.ZodType<string> }

/** All questions of setup. */
export const questions: readonly Question[] = [
  {
    name: 'PUBLIC_URL',
    text: 'Domain of your publication, such as news.example.com',
    isSecret: false,
    schema: publicUrl,
  },
  {
    name: 'MAIL_FROM',
    text: 'Sender address of all email',
    isSecret: false,
    schema: z.string().refine((text) => isEmailAddress(normalizeEmail(text)), 'isn’t an email address'),
  },
  {
    name: 'SMTP_URL',
    text: 'Mail server, such as smtps://user:password@smtp.example.com',
    isSecret: true,
    schema: z.url({
      protocol: /^smtps?$/,
      error: 'must be an smtp:// or smtps:// address; write @ in the password as %40',
    }),
  },
  {
    name: 'STRIPE_SECRET_KEY',
    text: 'Secret key of your Stripe account (sk_live_…)',
    isSecret: true,
    schema: z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must start with sk_live_ or rk_live_'),
  },
  {
    name: 'ADMIN_EMAILS',
    text: 'Your own address. The account with it becomes the owner',
    isSecret: false,
    schema: z
      .string()
      .refine(
        (text) => text.split(',').every((each) => isEmailAddress(normalizeEmail(each))),
        'isn’t an email address',
      ),
  },
]

export type Answers = { values: Variables; asked: number; findings: Finding[] }

/** Checks an answer live. */
export type Verify = (name: string, value: string) => Promise<Finding[]>

/**
 * Takes each answer from the options, else the environment file, else the environment, else asks. The file comes before
 * the environment, so that a variable left over in a shell changes nothing.
 * @throws OperatorError that names each missing and wrong answer that no one was asked for
 */
export async function collectAnswers(
  { ask, print }: Pick<SetupSystem, 'ask' | 'print'>,
  sources: { given: Variables; file: Variables; env: Record<string, string | undefined> },
  verify: Verify,
): Promise<Answers> {
  const answers: Answers = { values: {}, asked: 0, findings: [] }
  const problems: string[] = []
  for (const question of questions) {
    const { name, schema } = question
    const known = sources.given[name] ?? sources.file[name] ?? (sources.env[name] || undefined)
    if (known === undefined && ask === null) {
      problems.push(`${name} is missing.`)
      continue
    }
    if (known === undefined) answers.asked += 1
    for (;;) {
      const text = known ?? (await ask?.(question.text, { isSecret: question.isSecret })) ?? ''
      const parsed = schema.safeParse(text.trim())
      const findings = parsed.success
        ? await verify(name, parsed.data)
        : [failed(name, `${name} ${parsed.error.issues[0]?.message}.`)]
      const wrong = findings.filter(({ status }) => status === 'error')
      if (wrong.length === 0 && parsed.success) {
        for (const finding of findings) print(formatFinding(finding))
        answers.values[name] = parsed.data
        answers.findings.push(...findings)
        break
      }
      const messages = wrong.map(({ message }) => message)
      if (known === undefined) {
        for (const message of messages) print(message)
        continue
      }
      problems.push(...messages)
      break
    }
  }
  if (problems.length > 0) throw new OperatorError([...problems, 'Nothing was changed.'].join('\n'))
  return answers
}
