#!/usr/bin/env node
import { gatehouse } from './gatehouse.ts'
import { ProcessTerminal } from './terminal.ts'

process.exitCode = await gatehouse(process.argv.slice(2), new ProcessTerminal())
