#!/usr/bin/env node
import { main } from '../dist/codemod/cli.js'

process.exitCode = main(process.argv.slice(2))
