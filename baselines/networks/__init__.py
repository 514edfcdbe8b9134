"""Policy networks that play without PyTorch."""
