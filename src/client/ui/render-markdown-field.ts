import type { ReactNode } from 'react'

/** Renders the editor of a Markdown text. A prop of forms, because the editor belongs to another feature. */
export type RenderMarkdownField = (field: {
  path: string
  label: string
  hint?: string
  error?: string
  rows: number
  value: string
  onChange: (value: string) => void
}) => ReactNode
