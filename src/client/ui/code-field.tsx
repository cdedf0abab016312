import { clsx } from 'clsx'
import { type ReactNode, useRef } from 'react'
import { Field } from './form.tsx'
import { inputStyles } from './input-styles.ts'

type CodeFieldProps = {
  label: string
  hint?: ReactNode
  error?: string
  /** At most `length` digits; all other characters are removed from typed or pasted text. */
  value: string
  onChange: (code: string) => void
  /** Called when the last digit is typed, pasted or autofilled, so that no button is needed. */
  onComplete?: (code: string) => void
  length?: number
  autoFocus?: boolean
  readOnly?: boolean
}

/**
 * A code from an email, a text message or an authenticator app. One input instead of six, so that pasting, autofill and
 * screen readers work.
 */
export function CodeField({
  label,
  hint,
  error,
  value,
  onChange,
  onComplete,
  length = 6,
  autoFocus,
  readOnly,
}: CodeFieldProps) {
  // Prevents submitting a code twice: pasting and autofill can report the same digits.
  const completed = useRef('')
  const handleChange = (text: string) => {
    const code = extractDigits(text, length)
    onChange(code)
    if (code.length < length) completed.current = ''
    else if (completed.current !== code) {
      completed.current = code
      onComplete?.(code)
    }
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          required
          // biome-ignore lint/a11y/noAutofocus: the page asks for nothing but this code
          autoFocus={autoFocus}
          readOnly={readOnly}
          value={value}
          onChange={(event) => handleChange(event.currentTarget.value)}
          className={clsx(inputStyles, 'min-h-14 pl-4 font-mono text-2xl! tracking-[0.4em] tabular-nums')}
          style={slots(length)}
        />
      )}
    </Field>
  )
}

/** Keeps at most `length` digits of typed or pasted text, such as "123 456" or "Your code: 123456". */
const extractDigits = (text: string, length: number) => text.replace(/\D/g, '').slice(0, length)

/** Draws a line under the place of each digit. */
const slots = (length: number) => ({
  backgroundImage: 'repeating-linear-gradient(90deg, var(--line-strong) 0 1ch, transparent 0 calc(1ch + 0.4em))',
  backgroundSize: `calc(${length} * (1ch + 0.4em) - 0.4em) 1px`,
  backgroundPosition: '1rem calc(100% - 0.6rem)',
  backgroundRepeat: 'no-repeat',
})
