import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const tones = {
  plain: 'bg-sunken text-muted',
  primary: 'bg-success-soft text-success',
  accent: 'bg-accent-soft text-accent-ink',
  danger: 'bg-danger-soft text-danger',
}

type TagProps = { tone?: keyof typeof tones | undefined; children: ReactNode }

export const Tag = ({ tone = 'plain', children }: TagProps) => (
  <span className={clsx('tag inline-flex items-center gap-1 rounded-sm px-2 text-xs font-medium', tones[tone])}>
    {children}
  </span>
)
