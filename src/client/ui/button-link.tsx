import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router'
import { type ButtonStyle, buttonStyles } from './button.tsx'

/** A link inside the product that looks like a button. */
export function ButtonLink({ variant, size, block, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}

/** A link out of the product, or to a place on this page, that looks like a button. */
export function ButtonAnchor({ variant, size, block, className, ...rest }: ComponentProps<'a'> & ButtonStyle) {
  return <a className={clsx(buttonStyles({ variant, size, block }), className)} {...rest} />
}
