import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { announce } from './announce.ts'
import { Button, type ButtonStyle } from './button.tsx'
import { copyToClipboard } from './copy-to-clipboard.ts'

type CopyButtonProps = ButtonStyle & {
  text: string
  /** Completes the accessible name: "Copy: Closing handover". */
  what: string
  /** Decides whether, when and with which text it is copied, such as after a question. */
  guard?: (run: (text: string) => void) => void
  onCopied?: () => void
}

const confirmationMs = 2000

export function CopyButton({ text, what, guard, onCopied, variant = 'secondary', size = 'sm' }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = async (checked: string) => {
    const copied = await copyToClipboard(checked)
    setState(copied ? 'copied' : 'failed')
    announce(copied ? `Copied: ${what}` : 'Your browser blocked copying. Select the text and copy it manually.')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setState('idle'), confirmationMs)
    if (copied) onCopied?.()
  }
  const handleCopy = () => (guard ? guard((checked) => void copy(checked)) : void copy(text))

  const Icon = state === 'copied' ? Check : Copy
  const word = state === 'copied' ? 'Copied' : state === 'failed' ? 'Not copied' : 'Copy'
  return (
    <Button
      variant={variant}
      size={size}
      onClick={handleCopy}
      aria-label={`${word}: ${what}`}
      className="min-w-24 shrink-0"
    >
      <Icon aria-hidden className="size-4" strokeWidth={1.75} />
      {word}
    </Button>
  )
}
