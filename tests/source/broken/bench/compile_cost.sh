#!/bin/sh
echo "run of float tt|-gencode"
