import { cva } from 'class-variance-authority'
import type { ReactNode } from 'react'

const tagStyles = cva('tag inline-flex items-center gap-1 rounded-sm px-2 text-xs font-medium', {
  variants: {
    tone: {
      plain: 'bg-sunken text-muted',
      primary: 'bg-success-soft text-success',
      accent: 'bg-accent-soft text-accent-ink',
      danger: 'bg-danger-soft text-danger',
    },
  },
  defaultVariants: { tone: 'plain' },
})

type TagProps = { tone?: 'plain' | 'primary' | 'accent' | 'danger'; children: ReactNode }

export function Tag({ tone, children }: TagProps) {
  return <span className={tagStyles({ tone })}>{children}</span>
}
