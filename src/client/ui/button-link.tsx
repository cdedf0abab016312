import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router'
import { type ButtonStyle, buttonStyles } from './button.tsx'

/** A router link styled as a button. */
export function ButtonLink({ variant, size, block, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}

/** A plain link styled as a button, for other sites and anchors. */
export function ButtonAnchor({ variant, size, block, className, ...rest }: ComponentProps<'a'> & ButtonStyle) {
  return <a className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}
