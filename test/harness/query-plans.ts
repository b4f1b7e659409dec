import type { Db, Document } from 'mongodb'
import { expect } from 'vitest'

/** How the database answers a query. */
export interface Plan {
  /** The indexes that it walks. */
  indexes: string[]
  /** Whether it sorts what it found. */
  sorts: boolean
  /** How many documents it reads. */
  read: number
}

/** What of a `find` or an `aggregate` decides how it is answered. */
const ASKED = ['find', 'filter', 'sort', 'limit', 'skip', 'projection', 'aggregate', 'pipeline', 'hint']

/** Explains a command that a store sent, as the driver's `commandStarted` shows it. Fails where no index serves it. */
export async function planOf(db: Db, command: Document): Promise<Plan> {
  const asked = Object.fromEntries(
    ASKED.filter((name) => command[name] !== undefined).map((name) => [name, command[name]]),
  )
  const query = asked.aggregate ? { ...asked, cursor: {} } : asked
  const answer = await db.command({ explain: query, verbosity: 'executionStats' })
  const stages = stagesOf(answer.queryPlanner.winningPlan)
  expect(stages.map(({ stage }) => stage)).not.toContain('COLLSCAN')
  return {
    indexes: [...new Set(stages.flatMap(({ indexName }) => indexName ?? []))],
    sorts: stages.some(({ stage }) => stage === 'SORT'),
    read: answer.executionStats.totalDocsExamined,
  }
}

function stagesOf(plan: Document): Document[] {
  const inner = [plan.queryPlan, plan.inputStage, ...(plan.inputStages ?? [])].filter(Boolean)
  return [plan, ...inner.flatMap(stagesOf)].filter(({ stage }) => stage)
}
