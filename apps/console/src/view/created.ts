import { useState } from 'preact/hooks'

/** The id of the item that was created last, until its page has said so. */
let created: string | undefined

/** Remembers that an item was created: its page says so. */
export function rememberCreated(id: string): void {
  created = id
}

/** Whether the page of an item is the one that its creation has led to. */
export function useIsCreated(id: string | undefined): boolean {
  return useState(() => {
    const isCreated = id !== undefined && id === created
    created = undefined
    return isCreated
  })[0]
}
