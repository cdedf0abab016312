import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import { contextWords } from '#shared/domain/password-context-words.ts'
import { type PasswordStrength, passwordStrength } from '#shared/domain/password-strength.ts'

const bars = [1, 2, 3, 4] as const
const words = ['Easy to guess', 'Easy to guess', 'Fair', 'Good', 'Strong'] as const

/**
 * A strength hint for a new password. Only advice: the server decides.
 * `email` is read on each keystroke, because parts of the address make a password easy to guess.
 */
export function usePasswordAdvice(minLength: number, email: () => string) {
  const [strength, setStrength] = useState<PasswordStrength | null>(null)
  const advise = (password: string) =>
    setStrength(
      password.length < minLength ? null : passwordStrength(password, [email(), ...contextWords(publication)]),
    )
  const hint: ReactNode = strength ? <Advice {...strength} /> : `At least ${minLength} characters.`
  return { hint, advise }
}

function Advice({ score, advice }: PasswordStrength) {
  const filled = Math.max(score, 1)
  const color = score < 2 ? 'bg-accent' : 'bg-success'
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2.5">
        <span aria-hidden className="flex gap-1">
          {bars.map((bar) => (
            <span key={bar} className={clsx('h-1.5 w-6 rounded-full', bar > filled ? 'bg-line' : color)} />
          ))}
        </span>
        <span className="font-semibold text-ink">{words[score]}</span>
      </span>
      {advice && <span className="mt-1 block">{advice}</span>}
    </>
  )
}
